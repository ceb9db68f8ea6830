"""The Read tool: a range of numbered lines of a text file."""

from typing import Annotated, ClassVar

import anyio.to_thread
import msgspec

from swarm.ipc.messages import Preview
from swarm.permissions.model import Decision
from swarm.worker.tools.base import Prepared, ToolContext, ToolOutput
from swarm.worker.tools.line_range import LineRange, read_lines
from swarm.worker.tools.paths import absolute_path, refusal, resolved, shown
from swarm.worker.tools.titles import counted

DEFAULT_LIMIT = 2_000


class ReadInput(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What to read. `offset` is the first line, from 1; `limit` the number of lines."""

    file_path: str
    offset: Annotated[int, msgspec.Meta(ge=0)] | None = None
    limit: Annotated[int, msgspec.Meta(ge=1)] | None = None


class ReadTool:
    """Gives lines as `cat -n` does, and remembers the file's content for later edits."""

    name: ClassVar[str] = "Read"
    input_type: type[ReadInput] = ReadInput

    def check_permissions(self, arguments: ReadInput, context: ToolContext) -> Decision | None:
        return refusal(arguments.file_path, context)

    async def prepare(self, arguments: ReadInput, context: ToolContext) -> Prepared:
        path = absolute_path(arguments.file_path, context)
        target = resolved(path)
        paths = tuple(dict.fromkeys((str(path), str(target))))
        return Prepared(Preview(title=_title(shown(path, context), arguments), paths=paths), target)

    async def run(self, arguments: ReadInput, prepared: Prepared, context: ToolContext) -> ToolOutput:
        first = max(1, arguments.offset or 1)
        limit = arguments.limit or DEFAULT_LIMIT
        is_ranged = arguments.offset is not None or arguments.limit is not None
        found = await anyio.to_thread.run_sync(read_lines, prepared.pinned, first, limit, is_ranged)
        if found.fingerprint:
            context.seen[prepared.pinned] = found.fingerprint
        return ToolOutput(_text(found), summary=counted(len(found.lines), "line"))


def _title(name: str, arguments: ReadInput) -> str:
    if arguments.offset is None and arguments.limit is None:
        return f"Read {name}"
    first = max(1, arguments.offset or 1)
    return f"Read {name} (lines {first:,}–{first + (arguments.limit or DEFAULT_LIMIT) - 1:,})"


def _text(found: LineRange) -> str:
    if found.is_empty:
        return "The file is empty."
    if not found.lines:
        return (
            f"The file has {counted(found.total, 'line')}, so there is none from line {found.first:,} on."
        )
    lines = [f"{number:>6}\t{line}" for number, line in enumerate(found.lines, found.first)]
    last = found.first + len(found.lines) - 1
    if found.total > last:
        lines.append(f"… {counted(found.total - last, 'more line')}. Read on with offset {last + 1}.")
    elif not found.total:
        lines.append(f"… The file goes on. Read on with offset {last + 1}.")
    return "\n".join(lines)
