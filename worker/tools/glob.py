"""The Glob tool: files by name, newest first."""

import heapq
import os
from pathlib import Path
from typing import Any, ClassVar

import msgspec
import orjson

from swarm.permissions.model import Decision
from swarm.worker.errors import InvalidInput
from swarm.worker.tools.base import Prepared, ToolContext, ToolOutput
from swarm.worker.tools.glob_pattern import split_pattern
from swarm.worker.tools.paths import absolute_path, flaw, refusal
from swarm.worker.tools.pinned import check_pinned
from swarm.worker.tools.search_place import displayed, prepare_search
from swarm.worker.tools.search_program import GlobJob
from swarm.worker.tools.search_run import own_program, run_search
from swarm.worker.tools.titles import counted

SHOWN_CAP = 1_000


class GlobInput(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A pattern, relative to `path`, which is the working directory if not given."""

    pattern: str
    path: str = "."


class GlobTool:
    """Finds files that .gitignore does not exclude; hidden ones if the pattern names the dot."""

    name: ClassVar[str] = "Glob"
    input_type: type[GlobInput] = GlobInput

    def check_permissions(self, arguments: GlobInput, context: ToolContext) -> Decision | None:
        return refusal(arguments.path, context) or refusal(arguments.pattern, context)

    async def prepare(self, arguments: GlobInput, context: ToolContext) -> Prepared:
        base = absolute_path(arguments.path, context)
        if problem := flaw(arguments.pattern):
            raise InvalidInput(problem)
        if not _start(arguments.pattern, base, context).is_relative_to(base):
            raise InvalidInput(
                f"The pattern leads out of {base}. Give the folder as path, and a pattern in it."
            )
        return prepare_search(f"Glob {arguments.pattern}", arguments.path, context, folder_only=True)

    async def run(self, arguments: GlobInput, prepared: Prepared, context: ToolContext) -> ToolOutput:
        pattern = _relative(arguments, context)
        check_pinned(prepared.pinned)
        found = _Newest()
        job = GlobJob(root=str(prepared.pinned), pattern=pattern)
        note = await run_search(own_program(job), context, found.take)
        lines = [displayed(path, context) for path in found.paths]
        left_out = found.count - len(lines)
        more = (
            [f"… {counted(left_out, 'older file was', 'older files were')} left out."] if left_out else []
        )
        text = "\n".join([*(lines or ["No files were found."]), *more, *([note] if note else [])])
        return ToolOutput(text, "interrupted" if note else "succeeded", counted(found.count, "file"))


def _relative(arguments: GlobInput, context: ToolContext) -> str:
    """Give the pattern as seen from the folder that is searched."""
    base = absolute_path(arguments.path, context)
    inner = os.path.relpath(_start(arguments.pattern, base, context), base)
    rest = split_pattern(arguments.pattern)[1]
    return rest if inner == "." else f"{inner}/{rest}"


def _start(pattern: str, base: Path, context: ToolContext) -> Path:
    """Give the folder below which all that a pattern can match lies."""
    start = split_pattern(pattern)[0]
    return absolute_path(start if start.startswith(("~", "/")) else str(base / start), context)


class _Newest:
    """Keeps the files that were changed last, up to the cap, and counts all."""

    def __init__(self) -> None:
        self.count = 0
        self._kept: list[tuple[int, str]] = []

    def take(self, line: bytes) -> bool:
        found: dict[str, Any] = orjson.loads(line)
        self.count += 1
        entry = (int(found["changed"]), str(found["path"]))
        if len(self._kept) < SHOWN_CAP:
            heapq.heappush(self._kept, entry)
        else:
            heapq.heappushpop(self._kept, entry)
        return True

    @property
    def paths(self) -> list[str]:
        ordered = sorted(self._kept, key=lambda entry: (-entry[0], entry[1]))
        return [path for _, path in ordered]
