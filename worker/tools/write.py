"""The Write tool: a whole file, new or replaced."""

from typing import ClassVar

import anyio.to_thread
import msgspec

from swarm.permissions.model import Decision
from swarm.worker.tools.base import Prepared, ToolContext, ToolOutput
from swarm.worker.tools.file_change import apply_change, prepare_write
from swarm.worker.tools.paths import refusal


class WriteInput(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file and all that shall stand in it, written as UTF-8 with its line ends as given."""

    file_path: str
    content: str


class WriteTool:
    """Writes a file at once, if it is still what the diff showed."""

    name: ClassVar[str] = "Write"
    input_type: type[WriteInput] = WriteInput

    def check_permissions(self, arguments: WriteInput, context: ToolContext) -> Decision | None:
        return refusal(arguments.file_path, context, writes=True)

    async def prepare(self, arguments: WriteInput, context: ToolContext) -> Prepared:
        return await anyio.to_thread.run_sync(
            prepare_write, self.name, arguments.file_path, arguments.content, context
        )

    async def run(self, arguments: WriteInput, prepared: Prepared, context: ToolContext) -> ToolOutput:
        return await anyio.to_thread.run_sync(apply_change, prepared.pinned, context)
