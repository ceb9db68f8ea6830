"""The MultiEdit tool: several exact replacements in one text file, all or none."""

from pathlib import Path
from typing import Annotated, ClassVar

import anyio.to_thread
import msgspec

from swarm.permissions.model import Decision
from swarm.worker.errors import ToolError
from swarm.worker.tools.base import Prepared, ToolContext, ToolOutput
from swarm.worker.tools.file_change import apply_change, prepare_edit
from swarm.worker.tools.paths import refusal
from swarm.worker.tools.replacing import Replacement, replace_text


class MultiEditInput(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file and the replacements, each made in what the one before it left."""

    file_path: str
    edits: Annotated[tuple[Replacement, ...], msgspec.Meta(min_length=1)]


class MultiEditTool:
    """Edits a file in several places at once, as Edit does in one."""

    name: ClassVar[str] = "MultiEdit"
    input_type: type[MultiEditInput] = MultiEditInput

    def check_permissions(self, arguments: MultiEditInput, context: ToolContext) -> Decision | None:
        return refusal(arguments.file_path, context, writes=True)

    async def prepare(self, arguments: MultiEditInput, context: ToolContext) -> Prepared:
        def edit(text: str, path: Path) -> str:
            for number, replacement in enumerate(arguments.edits, 1):
                text = _replace(text, replacement, path, number)
            return text

        return await anyio.to_thread.run_sync(prepare_edit, self.name, arguments.file_path, context, edit)

    async def run(self, arguments: MultiEditInput, prepared: Prepared, context: ToolContext) -> ToolOutput:
        return await anyio.to_thread.run_sync(apply_change, prepared.pinned, context)


def _replace(text: str, replacement: Replacement, path: Path, number: int) -> str:
    try:
        return replace_text(text, replacement, str(path))
    except ToolError as error:
        raise type(error)(f"Edit {number}: {error} None of the edits was made.") from error
