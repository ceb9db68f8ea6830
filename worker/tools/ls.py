"""The LS tool: what a folder holds."""

import os
from pathlib import Path
from typing import ClassVar

import anyio.to_thread
import msgspec

from swarm.permissions.model import Decision
from swarm.worker.tools.base import Prepared, ToolContext, ToolOutput
from swarm.worker.tools.glob_pattern import GlobPattern
from swarm.worker.tools.paths import looking_at, refusal
from swarm.worker.tools.pinned import check_pinned
from swarm.worker.tools.search_place import prepare_search
from swarm.worker.tools.titles import counted, one_line

SHOWN_CAP = 1_000


class ListInput(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A folder, and glob patterns of names to leave out."""

    path: str = "."
    ignore: tuple[str, ...] = ()


class ListTool:
    """Lists a folder by name, hidden entries too; folders end with a slash, links show where they lead."""

    name: ClassVar[str] = "LS"
    input_type: type[ListInput] = ListInput

    def check_permissions(self, arguments: ListInput, context: ToolContext) -> Decision | None:
        return refusal(arguments.path, context)

    async def prepare(self, arguments: ListInput, context: ToolContext) -> Prepared:
        return prepare_search("LS", arguments.path, context, folder_only=True)

    async def run(self, arguments: ListInput, prepared: Prepared, context: ToolContext) -> ToolOutput:
        check_pinned(prepared.pinned)
        lines = await anyio.to_thread.run_sync(_listing, prepared.pinned, arguments.ignore)
        return ToolOutput(
            "\n".join(lines) or "The folder is empty.", summary=counted(len(lines), "entry", "entries")
        )


def _listing(folder: Path, ignore: tuple[str, ...]) -> list[str]:
    patterns = [GlobPattern(pattern, sees_hidden=True) for pattern in ignore]
    with looking_at(folder), os.scandir(folder) as found:
        entries = [entry for entry in found if not any(one.matches(entry.name) for one in patterns)]
    entries.sort(key=lambda entry: entry.name)
    lines = [_line(entry) for entry in entries[:SHOWN_CAP]]
    left_out = len(entries) - len(lines)
    return [*lines, f"… {left_out:,} more entries were left out."] if left_out else lines


def _line(entry: os.DirEntry[str]) -> str:
    name = one_line(os.fsencode(entry.name).decode("utf-8", "replace"))
    if entry.is_symlink():
        return f"{name} -> {one_line(os.readlink(entry.path))}"
    return f"{name}/" if entry.is_dir(follow_symlinks=False) else name
