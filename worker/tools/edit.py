"""The Edit tool: one exact replacement in a text file."""

from pathlib import Path
from typing import ClassVar

import anyio.to_thread

from swarm.permissions.model import Decision
from swarm.worker.tools.base import Prepared, ToolContext, ToolOutput
from swarm.worker.tools.file_change import apply_change, prepare_edit
from swarm.worker.tools.paths import refusal
from swarm.worker.tools.replacing import Replacement, replace_text


class EditInput(Replacement, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The file and the replacement."""

    file_path: str


class EditTool:
    """Edits a file at once, if it is still what was read and shown. Keeps encoding, mark and line ends."""

    name: ClassVar[str] = "Edit"
    input_type: type[EditInput] = EditInput

    def check_permissions(self, arguments: EditInput, context: ToolContext) -> Decision | None:
        return refusal(arguments.file_path, context, writes=True)

    async def prepare(self, arguments: EditInput, context: ToolContext) -> Prepared:
        def edit(text: str, path: Path) -> str:
            return replace_text(text, arguments, str(path))

        return await anyio.to_thread.run_sync(prepare_edit, self.name, arguments.file_path, context, edit)

    async def run(self, arguments: EditInput, prepared: Prepared, context: ToolContext) -> ToolOutput:
        return await anyio.to_thread.run_sync(apply_change, prepared.pinned, context)
