"""The gate: what runs is what was shown and allowed, and the end of each call is told."""

from pathlib import Path
from typing import Any

import anyio
import anyio.lowlevel
import pytest

from support.gating import ALLOW, EchoTool, RecordingChannel, Scene
from swarm.ipc.messages import PermissionRequest, Preview, ToolStarted
from swarm.ipc.messages import ToolOutput as OutputEvent
from swarm.permissions.model import Behavior, Decision, Reason, Request
from swarm.permissions.strategies import refusals
from swarm.permissions.strategies.swarm_worker import SwarmWorker
from swarm.worker.errors import ToolError
from swarm.worker.gate import Gate
from swarm.worker.outbox import Outbox
from swarm.worker.tools.base import Prepared, ToolContext


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
    once = Reason.INTERACTIVE_ALLOW_ONCE
    scene = Scene(Decision(Behavior.ALLOW, Reason.WORKER_PROXY, "mind the tests", leader_reason=once))
    assert "mind the tests" in (await scene.call({"text": "x"})).text


async def test_why_a_rule_allows_is_no_note() -> None:
    rule = Reason.SETTINGS_ALLOW
    scene = Scene(Decision(Behavior.ALLOW, Reason.WORKER_PROXY, "The rule says so.", leader_reason=rule))
    assert (await scene.call({"text": "x"})).text == "x"


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
