"""The gate: nothing runs without a decision that allows exactly it."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import anyio
import anyio.lowlevel
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from swarm.ipc.channel import Receiver
from swarm.ipc.messages import AnyMessage, Event, PermissionRequest, Preview, ToolEnded, ToolStarted
from swarm.ipc.messages import ToolOutput as OutputEvent
from swarm.permissions.model import Behavior, Decision, Reason, Request
from swarm.permissions.strategies import refusals
from swarm.permissions.strategies.swarm_worker import SwarmWorker
from swarm.worker.calls import CallOutcome
from swarm.worker.errors import ToolError, UnknownTool
from swarm.worker.gate import Gate
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
    fails: Exception | None = None
    waits: bool = False
    ran: list[tuple[str, Prepared]] = field(default_factory=list)

    def check_permissions(self, arguments: Echo, context: ToolContext) -> Decision | None:
        return self.own

    async def prepare(self, arguments: Echo, context: ToolContext) -> Prepared:
        if arguments.text == "unfit":
            raise ToolError("There is no unfit text.")
        return Prepared(Preview(title=f"echo {arguments.text}"), pinned=arguments.text)

    async def run(self, arguments: Echo, prepared: Prepared, context: ToolContext) -> ToolOutput:
        self.ran.append((arguments.text, prepared))
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

    async def decide(
        self, request: Request, preview: Preview, call_id: str, agent: tuple[str, ...] = ()
    ) -> Decision:
        self.asked.append((request, preview))
        decision: Decision = await self.answer()
        return decision


class RecordingChannel:
    """Keeps what is sent."""

    def __init__(self) -> None:
        self.sent: list[AnyMessage] = []

    def open(self, receiver: Receiver) -> None:
        """Take no receiver."""

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

    def __post_init__(self) -> None:
        self.strategy = FakeStrategy(answering(self.decision))
        context = ToolContext(Path("/work"), {})
        self.gate = Gate(self.strategy, Outbox(self.channel), context, self._find)

    def _find(self, name: str) -> Tool[Any]:
        if name != "Echo":
            raise UnknownTool(name, ("Echo",))
        return self.tool

    async def call(self, input: Mapping[str, Any], **options: Any) -> CallOutcome:
        return await self.gate.call("Echo", input, **options)

    def ending(self) -> ToolEnded:
        (end,) = [event for event in self.channel.events() if isinstance(event, ToolEnded)]
        return end


async def test_an_allowed_call_runs_as_it_was_shown() -> None:
    scene = Scene()
    outcome = await scene.call({"text": "hi"}, title="greet")
    assert (outcome.outcome, outcome.text, outcome.exit_code) == ("succeeded", "hi", 0)
    assert scene.strategy.asked == [(Request("Echo", {"text": "hi"}, "/work"), Preview(title="echo hi"))]
    assert scene.channel.events()[:2] == [
        ToolStarted(call_id="call-1", tool="Echo", title="greet: echo hi"),
        OutputEvent(call_id="call-1", text="hi"),
    ]
    assert (scene.ending().outcome, scene.ending().summary) == ("succeeded", "echoed")


async def test_an_input_that_does_not_fit_is_told_clearly_and_asks_nobody() -> None:
    scene = Scene()
    outcome = await scene.call({"text": 3})
    assert outcome.outcome == "failed"
    assert "does not fit Echo" in outcome.text
    assert "$.text" in outcome.text
    assert scene.strategy.asked == []
    assert scene.tool.ran == []
    assert scene.ending().outcome == "failed"


async def test_an_input_that_is_no_json_fails() -> None:
    scene = Scene()
    assert (await scene.call({"text": object()})).outcome == "failed"
    assert scene.tool.ran == []


async def test_an_unknown_tool_fails_and_names_the_known_ones() -> None:
    scene = Scene()
    outcome = await scene.gate.call("Ecco", {})
    assert outcome.outcome == "failed"
    assert "The tools are Echo" in outcome.text


async def test_a_call_that_cannot_be_prepared_asks_nobody() -> None:
    scene = Scene()
    assert (await scene.call({"text": "unfit"})).text == "There is no unfit text."
    assert scene.strategy.asked == []


async def test_changing_the_callers_input_while_it_is_asked_changes_nothing() -> None:
    scene = Scene()
    given_input = {"text": "harmless"}

    async def change_and_allow() -> Decision:
        given_input["text"] = "harmful"
        return ALLOW

    scene.strategy.answer = change_and_allow
    await scene.call(given_input)
    assert [text for text, _ in scene.tool.ran] == ["harmless"]


async def test_a_changed_input_is_prepared_anew_and_runs_instead() -> None:
    scene = Scene(Decision(Behavior.ALLOW, Reason.WORKER_PROXY, updated_input={"text": "changed"}))
    outcome = await scene.call({"text": "asked"})
    assert scene.tool.ran == [("changed", Prepared(Preview(title="echo changed"), pinned="changed"))]
    assert "changed before it was allowed" in outcome.text


@pytest.mark.parametrize("updated", [{"text": 1}, {"other": "x"}, {"text": "unfit"}])
async def test_a_changed_input_that_does_not_fit_runs_nothing(updated: dict[str, Any]) -> None:
    scene = Scene(Decision(Behavior.ALLOW, Reason.WORKER_PROXY, updated_input=updated))
    outcome = await scene.call({"text": "asked"})
    assert outcome.outcome == "failed"
    assert outcome.note == ""
    assert scene.tool.ran == []


async def test_the_tools_own_denial_asks_nobody() -> None:
    own = Decision(Behavior.DENY, Reason.SETTINGS_DENY, "Not in here.", rule="Echo(*)")
    scene = Scene(tool=EchoTool(own=own))
    outcome = await scene.call({"text": "x"})
    assert outcome.outcome == "denied"
    assert outcome.text == refusals.denied_by_rules("Not in here.")
    assert (scene.strategy.asked, scene.tool.ran) == ([], [])


async def test_a_note_with_an_approval_reaches_the_agent() -> None:
    scene = Scene(Decision(Behavior.ALLOW, Reason.WORKER_PROXY, message="mind the tests"))
    assert "mind the tests" in (await scene.call({"text": "x"})).text


async def test_a_tool_error_is_a_failed_call() -> None:
    scene = Scene(tool=EchoTool(fails=ToolError("The disk is full.")))
    assert (await scene.call({"text": "x"})).text == "The disk is full."
    assert scene.ending().outcome == "failed"


async def test_a_bug_in_a_tool_is_a_failed_call_with_a_short_trace() -> None:
    scene = Scene(tool=EchoTool(fails=ZeroDivisionError("oh")))
    outcome = await scene.call({"text": "x"})
    assert outcome.outcome == "failed"
    assert outcome.text.startswith("ZeroDivisionError: oh\n")


async def test_a_call_over_its_limit_is_interrupted() -> None:
    scene = Scene(tool=EchoTool(waits=True))
    outcome = await scene.call({"text": "x"}, limit=0.01)
    assert outcome.outcome == "interrupted"
    assert "limit of 0.01 s" in outcome.text


async def test_a_call_cancelled_while_it_runs_is_told_as_interrupted() -> None:
    scene = Scene(tool=EchoTool(waits=True))
    with anyio.move_on_after(0.01):
        await scene.call({"text": "x"})
    assert scene.ending().outcome == "interrupted"


async def test_calls_go_on_at_once() -> None:
    scene = Scene(tool=EchoTool(waits=True))
    with anyio.move_on_after(0.05):
        async with anyio.create_task_group() as group:
            group.start_soon(scene.call, {"text": "a"})
            group.start_soon(scene.call, {"text": "b"})
    assert [text for text, _ in scene.tool.ran] == ["a", "b"]


async def test_the_request_that_was_refused_is_named() -> None:
    channel = RecordingChannel()
    outbox = Outbox(channel)
    strategy = SwarmWorker(outbox)
    gate = Gate(strategy, outbox, ToolContext(Path("/work"), {}), lambda _: EchoTool())
    async with anyio.create_task_group() as group:

        async def close_when_asked() -> None:
            while not any(isinstance(message, PermissionRequest) for message in channel.sent):
                await anyio.lowlevel.checkpoint()
            strategy.closed("it died")

        group.start_soon(close_when_asked)
        outcome = await gate.call("Echo", {"text": "x"})
    (position,) = [n for n, message in enumerate(channel.sent, 1) if isinstance(message, PermissionRequest)]
    assert outcome.request_id == f"m{position}"
    assert outcome.text == refusals.leader_gone("it died")


def denied(reason: str, message: str = "", rule: str = "") -> Decision:
    return Decision(Behavior.DENY, Reason.WORKER_PROXY, message, rule, leader_reason=reason)


@pytest.mark.parametrize(
    ("decision", "said"),
    [
        (denied(Reason.INTERACTIVE_DENY, "use make"), "The person who watches this team declined"),
        (denied(Reason.INTERACTIVE_DENY, refusals.declined("use make")), "They wrote: use make"),
        (denied(Reason.SETTINGS_DENY, rule="Bash(rm:*)"), "The rule Bash(rm:*) says so."),
        (denied(Reason.COORDINATOR_DENY, refusals.timed_out(30)), "No answer came within 30 s"),
        (denied("", refusals.leader_gone("it died")), "is gone (it died)"),
        (denied(""), "Nobody declined it"),
    ],
)
async def test_a_denial_tells_who_or_what_denied(decision: Decision, said: str) -> None:
    outcome = await Scene(decision).call({"text": "x"})
    assert outcome.outcome == "denied"
    assert said in outcome.text
    assert outcome.text.count("declined this call") <= 1


NOT_ALLOWED: st.SearchStrategy[Any] = st.one_of(
    st.builds(
        Decision,
        behavior=st.sampled_from([Behavior.DENY, Behavior.ASK]),
        reason=st.sampled_from(Reason),
        message=st.text(max_size=10),
        leader_reason=st.text(max_size=10),
        updated_input=st.none() | st.just({"text": "y"}),
    ),
    st.sampled_from(
        [RuntimeError("x"), TimeoutError(), ExceptionGroup("g", [ValueError()]), None, True, "allow", {}, 1]
    ),
)


@settings(max_examples=120, deadline=None)
@given(NOT_ALLOWED, st.integers(0, 3))
async def test_whatever_is_no_allow_runs_nothing(answer: Any, waits: int) -> None:
    scene = Scene()

    async def decide() -> Any:
        for _ in range(waits):
            await anyio.lowlevel.checkpoint()
        return await answering(answer)()

    scene.strategy.answer = decide
    outcome = await scene.call({"text": "x"})
    assert outcome.outcome == "denied"
    assert scene.tool.ran == []
    assert scene.ending().outcome == "denied"


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 6), st.integers(0, 6), st.sampled_from(["cancel", "close"]), st.booleans())
async def test_nothing_runs_after_a_cancel_or_the_leaders_end(
    answered_after: int, ended_after: int, how: str, is_changed: bool
) -> None:
    """Whichever comes first: once the end has come, the tool is never entered."""
    updated = {"text": "y"} if is_changed else None
    scene = Scene()
    ended: list[bool] = []

    async def allow() -> Decision:
        for _ in range(answered_after):
            await anyio.lowlevel.checkpoint()
        return Decision(Behavior.ALLOW, Reason.WORKER_PROXY, updated_input=updated)

    scene.strategy.answer = allow
    async with anyio.create_task_group() as group:

        async def end() -> None:
            for _ in range(ended_after):
                await anyio.lowlevel.checkpoint()
            ended.append(bool(scene.tool.ran))
            if how == "cancel":
                group.cancel_scope.cancel()
            else:
                scene.gate.close("it died")

        group.start_soon(end)
        await scene.call({"text": "x"})
    (ran_before,) = ended
    assert bool(scene.tool.ran) == ran_before
