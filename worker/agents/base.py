"""What an agent is, and what it may do: only what its host offers. Holds no behaviour."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol

from swarm.ipc.messages import Answer, ChatMessage, Choice, TodoItem, WorkerResult
from swarm.worker.calls import CallOutcome
from swarm.worker.outbox import Level

Doing = Literal["requesting", "thinking", "responding", "preparing", "using_tool", "idle"]
Status = Literal["succeeded", "failed", "cancelled"]


@dataclass(frozen=True, slots=True)
class Task:
    """What the agent is to do. `inputs` are the results of the workers that it needs, by name.

    `cwd` is absolute. `env` is the whole environment for what the agent starts. `attempt` counts from 1.
    """

    worker: str
    cwd: Path
    prompt: str = ""
    env: Mapping[str, str] = field(default_factory=dict)
    inputs: Mapping[str, WorkerResult] = field(default_factory=dict)
    attempt: int = 1


@dataclass(frozen=True, slots=True)
class AgentResult:
    """How the agent ended. `refused` are ids of the permission requests whose refusal stopped it."""

    status: Status
    text: str = ""
    refused: tuple[str, ...] = ()


class Host(Protocol):
    """What an agent may do. Whatever streams waits while the leader reads too slowly."""

    @property
    def task(self) -> Task:
        """What is to be done."""

    @property
    def mode(self) -> str:
        """The permission mode of this worker, as it is now."""

    async def call(
        self,
        tool: str,
        input: Mapping[str, Any],
        title: str = "",
        limit: float | None = None,
        agent: tuple[str, ...] = (),
        step: str = "",
    ) -> CallOutcome:
        """Call a tool, through the gate. `limit` bounds its run in seconds, not the wait for a decision.

        `title` is put before the call's own; `agent` is the path of a subagent. Several calls may be
        on their way at once. Raises nothing but cancellation. `step` names what the call does within the
        agent's task: `done_before` finds it by that in a later attempt.
        """

    def done_before(self, step: str) -> str | None:
        """Give the output of a step that has ended well in an earlier attempt; None if it has not."""

    def note_step(self, step: str, output: str) -> None:
        """Note that a step which called no tool has been taken, for `done_before`."""

    async def say(self, text: str) -> None:
        """Append text to what the person reads."""

    async def think(self, text: str) -> None:
        """Append text that is not meant as an answer."""

    async def phase(self, doing: Doing, detail: str = "") -> None:
        """Tell what the agent does now."""

    async def todo(self, items: Sequence[TodoItem]) -> None:
        """Tell the whole list of what is to be done."""

    async def usage(
        self, input_tokens: int, output_tokens: int, cost: float = 0.0, model: str = ""
    ) -> None:
        """Tell tokens and cost in US dollars since the last time."""

    async def log(self, level: Level, text: str) -> None:
        """Write a line to the log, which is not shown in the transcript."""

    async def send(self, to: str, text: str) -> None:
        """Send a message to another worker, to all (`*`) or to the leader (empty)."""

    async def ask(self, text: str, choices: Sequence[Choice] = (), multiple: bool = False) -> Answer:
        """Ask the person something that is not a permission, and wait for the answer."""

    async def next_message(self) -> ChatMessage:
        """Wait for the next message of the person, the leader or another worker."""


class Agent(Protocol):
    """One agent. Made by its module's `create(config)`, which raises InvalidAgent."""

    async def run(self, host: Host) -> AgentResult:
        """Do the task. What is raised becomes a failed result; on cancellation nothing is left running."""
