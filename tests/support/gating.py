"""A gate with fakes around it, for tests: a tool that notes what it ran, a strategy that obeys."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import anyio
import anyio.lowlevel
import msgspec

from swarm.ipc.channel import Receiver
from swarm.ipc.messages import AnyMessage, Event, Preview, ToolEnded
from swarm.permissions.model import Behavior, Decision, Reason, Request
from swarm.worker.call_journal import CallJournal
from swarm.worker.calls import CallOutcome
from swarm.worker.errors import ToolError, UnknownTool
from swarm.worker.gate import Gate
from swarm.worker.hold import Hold
from swarm.worker.outbox import Outbox
from swarm.worker.tools.base import Prepared, Tool, ToolContext, ToolOutput

ALLOW = Decision(Behavior.ALLOW, Reason.WORKER_PROXY, leader_reason=Reason.INTERACTIVE_ALLOW_ONCE)


class Echo(msgspec.Struct, forbid_unknown_fields=True):
    """The input of the tool below."""

    text: str


@dataclass
class EchoTool:
    """Notes what it ran."""

    name: ClassVar[str] = "Echo"
    input_type: type[Echo] = Echo
    own: Decision | None = None
    forbidden: str = ""
    fails: Exception | None = None
    waits: bool = False
    ran: list[tuple[str, Prepared]] = field(default_factory=list)
    on_run: Callable[[], object] | None = None

    def check_permissions(self, arguments: Echo, context: ToolContext) -> Decision | None:
        if self.forbidden and arguments.text == self.forbidden:
            return Decision(Behavior.DENY, Reason.SETTINGS_DENY, "It is forbidden.")
        return self.own

    async def prepare(self, arguments: Echo, context: ToolContext) -> Prepared:
        if arguments.text == "unfit":
            raise ToolError("There is no unfit text.")
        return Prepared(Preview(title=f"echo {arguments.text}"), pinned=arguments.text)

    async def run(self, arguments: Echo, prepared: Prepared, context: ToolContext) -> ToolOutput:
        self.ran.append((arguments.text, prepared))
        if self.on_run is not None:
            self.on_run()
        await context.emit(arguments.text)
        if self.fails:
            raise self.fails
        if self.waits:
            await anyio.sleep_forever()
        return ToolOutput(text=arguments.text, summary="echoed", exit_code=0)


@dataclass
class FakeStrategy:
    """Decides as it is told."""

    answer: Callable[[], Awaitable[Any]]
    asked: list[tuple[Request, Preview]] = field(default_factory=list)
    interrupted: list[bool] = field(default_factory=list)

    async def decide(
        self,
        request: Request,
        preview: Preview,
        call_id: str,
        agent: tuple[str, ...] = (),
        *,
        interrupted: bool = False,
    ) -> Decision:
        self.asked.append((request, preview))
        self.interrupted.append(interrupted)
        decision: Decision = await self.answer()
        return decision


class RecordingChannel:
    """Keeps what is sent."""

    def __init__(self) -> None:
        self.sent: list[AnyMessage] = []

    def open(self, receiver: Receiver) -> None:
        """Take no receiver."""

    def wait_briefly(self) -> None:
        return None

    def send(self, message: AnyMessage) -> str:
        self.sent.append(message)
        return f"m{len(self.sent)}"

    async def drain(self) -> None:
        """Never wait."""

    async def flush(self) -> None:
        """Hold nothing."""

    def pause_reading(self) -> None:
        """Read nothing."""

    def resume_reading(self) -> None:
        """Read nothing."""

    async def aclose(self) -> None:
        """Hold nothing."""

    def events(self) -> list[Any]:
        return [message.event for message in self.sent if isinstance(message, Event)]


def answering(decision: Any) -> Callable[[], Awaitable[Any]]:
    async def answer() -> Any:
        if isinstance(decision, Exception):
            raise decision
        return decision

    return answer


@dataclass
class Scene:
    """A gate with its fakes."""

    decision: Any = ALLOW
    tool: EchoTool = field(default_factory=EchoTool)
    channel: RecordingChannel = field(default_factory=RecordingChannel)
    journal: CallJournal = field(default_factory=CallJournal)
    hold: Hold = field(default_factory=Hold)

    def __post_init__(self) -> None:
        self.strategy = FakeStrategy(answering(self.decision))
        context = ToolContext(Path("/work"), {})
        self.gate = Gate(
            self.strategy, Outbox(self.channel), context, self._find, hold=self.hold, journal=self.journal
        )

    def _find(self, name: str) -> Tool[Any]:
        if name != "Echo":
            raise UnknownTool(name, ("Echo",))
        return self.tool

    async def call(self, input: Mapping[str, Any], **options: Any) -> CallOutcome:
        return await self.gate.call("Echo", input, **options)

    def ending(self) -> ToolEnded:
        (end,) = [event for event in self.channel.events() if isinstance(event, ToolEnded)]
        return end
