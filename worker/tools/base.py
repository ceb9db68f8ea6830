"""What every tool is, and what it gets and gives. Holds no behaviour."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Generic, Protocol, TypeVar

import msgspec

from swarm.ipc.messages import Preview
from swarm.permissions.model import Decision

InputT = TypeVar("InputT", bound=msgspec.Struct)


async def discard(text: str) -> None:
    """Take output that nobody watches."""


@dataclass(slots=True)
class ToolContext:
    """What a tool may use. `emit` streams output to whoever watches and waits while they are slow.

    `seen` holds the fingerprint of each file as it was last read or written by this worker, keyed by
    resolved path, so that an edit of a file that has changed since can be refused.
    """

    cwd: Path
    env: Mapping[str, str]
    seen: dict[Path, str] = field(default_factory=dict)
    emit: Callable[[str], Awaitable[None]] = discard


@dataclass(frozen=True, slots=True)
class Prepared:
    """What was worked out before asking: the preview, and `pinned`, the tool's own state for `run`.

    A tool that writes pins what it showed (the old content's fingerprint, the resolved path), and
    refuses to run if that no longer holds.
    """

    preview: Preview
    pinned: Any = None


@dataclass(frozen=True, slots=True)
class ToolOutput:
    """What a tool call gave. `text` is for the agent and bounded.

    `outcome` is `failed` for a non-zero exit, `interrupted` if it was cut short by a time limit or a
    signal. `exit_code` is None where there is none.
    """

    text: str
    outcome: str = "succeeded"
    summary: str = ""
    exit_code: int | None = None


class Tool(Protocol, Generic[InputT]):
    """One tool. Stateless: state of the run is in the context."""

    name: ClassVar[str]
    input_type: type[InputT]

    def check_permissions(self, arguments: InputT, context: ToolContext) -> Decision | None:
        """Allow or deny without asking anybody, or say nothing (None). Most tools say nothing."""

    async def prepare(self, arguments: InputT, context: ToolContext) -> Prepared:
        """Check the arguments and work out what the person is shown. Changes nothing; raises ToolError."""

    async def run(self, arguments: InputT, prepared: Prepared, context: ToolContext) -> ToolOutput:
        """Do it. Raises ToolError if it cannot be done. On cancellation nothing of it is left running."""
