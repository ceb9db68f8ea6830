"""One tool call on its way through the gate, and how it ended. Plain values."""

import time
from dataclasses import dataclass, field
from typing import Any, Literal

from swarm.permissions.model import Decision
from swarm.worker.tools.base import Prepared, Tool, ToolContext

Outcome = Literal["succeeded", "failed", "denied", "interrupted"]
RAN: tuple[Outcome, ...] = ("succeeded", "failed", "interrupted")
"""What a tool that ran can end with."""


@dataclass(frozen=True, slots=True)
class CallOutcome:
    """How a call ended. `output` is the tool's own text, or why it did not run.

    `note` is what came with the approval. `decision` is None if the call was never decided. `request_id`
    names the request that asked the leader, if one did.
    """

    call_id: str
    outcome: Outcome
    output: str
    note: str = ""
    decision: Decision | None = None
    request_id: str = ""
    exit_code: int | None = None

    @property
    def text(self) -> str:
        """What an agent reads: the note first, then the output."""
        return f"{self.note}\n\n{self.output}" if self.note else self.output


@dataclass(slots=True)
class Call:
    """A call on its way. `raw` is its input as bytes, so that what is shown, decided and run is the same.

    `title` is what the person sees, `limit` how long it may run, in seconds. `changed` tells that the
    input was changed when it was allowed, `entered` that the tool began, `announced` that the start of
    the call was told. `step` is the agent's name of what the call does. `interrupted` tells that it had
    begun in an earlier attempt, and that its end is not known.
    """

    call_id: str
    name: str
    title: str
    limit: float | None
    agent: tuple[str, ...]
    context: ToolContext
    step: str = ""
    interrupted: bool = False
    raw: bytes = b""
    tool: Tool[Any] | None = None
    arguments: Any = None
    prepared: Prepared | None = None
    decision: Decision | None = None
    changed: bool = False
    entered: bool = False
    announced: bool = False
    began: float = field(default_factory=time.monotonic)
