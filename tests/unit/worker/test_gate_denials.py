"""The gate: nothing runs without a decision that allows exactly it, and each denial says whose it is."""

from typing import Any

import anyio
import anyio.lowlevel
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.gating import ALLOW, EchoTool, Scene, answering
from swarm.permissions.model import Behavior, Decision, Reason
from swarm.permissions.strategies import refusals
from swarm.worker import wording


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


@pytest.mark.parametrize(
    ("message", "summary"),
    [
        ("", "declined by the person"),
        (refusals.declined(), "declined by the person"),
        ("use make\nplease", "declined by the person: use make please"),
        (refusals.declined("use make"), "declined by the person: use make"),
        (refusals.declined("x" * 600), f"declined by the person: {'x' * 500}…"),
    ],
)
def test_the_few_words_about_a_denial_hold_what_the_person_wrote(message: str, summary: str) -> None:
    assert wording.summary(denied(Reason.INTERACTIVE_DENY, message)) == summary


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


async def test_an_answer_that_comes_with_the_cancel_runs_nothing() -> None:
    scene = Scene()
    with anyio.CancelScope() as scope:

        async def cancel_and_allow() -> Decision:
            scope.cancel()
            return ALLOW

        scene.strategy.answer = cancel_and_allow
        await scene.call({"text": "x"})
    assert scene.tool.ran == []
    assert scene.ending().outcome == "interrupted"


async def test_the_tools_own_denial_holds_for_a_changed_input_as_well() -> None:
    changed = Decision(Behavior.ALLOW, Reason.WORKER_PROXY, updated_input={"text": "y"})
    scene = Scene(changed, tool=EchoTool(forbidden="y"))
    outcome = await scene.call({"text": "x"})
    assert (outcome.outcome, outcome.note) == ("denied", "")
    assert "It is forbidden." in outcome.text
    assert scene.tool.ran == []
