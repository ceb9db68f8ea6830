"""A call that an earlier attempt has begun and not ended: only a person may have it done again."""

from pathlib import Path
from typing import Any

import anyio
import pytest

from support.gating import ALLOW, Scene
from swarm.ipc.call_log import CallBegan, CallEnded, CallRecord
from swarm.worker.call_journal import CallJournal
from swarm.worker.calls import Outcome
from swarm.worker.hold import Hold
from swarm.worker.past import INTERRUPTED, Past

BEGAN = CallBegan(call="call-1", attempt=1, tool="Echo", step="2")


def ended(outcome: Outcome) -> CallRecord:
    return CallRecord(BEGAN, CallEnded(call="call-1", attempt=1, outcome=outcome, step="2"))


def scene_after(*calls: CallRecord, **options: Any) -> Scene:
    scene = Scene(journal=CallJournal(), **options)
    scene.journal.past = Past(calls)
    return scene


async def test_it_is_asked_with_a_mark_and_a_note() -> None:
    scene = scene_after(CallRecord(BEGAN))
    assert (await scene.call({"text": "hi"}, step="2")).outcome == "succeeded"
    ((_, preview),) = scene.strategy.asked
    assert preview.note == INTERRUPTED
    assert scene.strategy.interrupted == [True]


async def test_what_its_tool_would_allow_by_itself_is_asked_all_the_same() -> None:
    scene = scene_after(CallRecord(BEGAN))
    scene.tool.own = ALLOW
    await scene.call({"text": "hi"}, step="2")
    assert scene.strategy.interrupted == [True]


@pytest.mark.parametrize(
    ("past", "step"),
    [
        ((), "2"),
        ((ended("succeeded"),), "2"),
        ((ended("failed"),), "2"),
        ((CallRecord(BEGAN),), "3"),
        ((CallRecord(BEGAN),), ""),
        ((CallRecord(BEGAN), ended("failed")), "2"),
    ],
)
async def test_any_other_call_is_asked_as_ever(past: tuple[CallRecord, ...], step: str) -> None:
    scene = scene_after(*past)
    await scene.call({"text": "hi"}, step=step)
    ((_, preview),) = scene.strategy.asked
    assert (preview.note, scene.strategy.interrupted) == ("", [False])


async def test_one_that_was_cut_short_in_order_counts_as_interrupted() -> None:
    scene = scene_after(ended("interrupted"))
    await scene.call({"text": "hi"}, step="2")
    assert scene.strategy.interrupted == [True]


@pytest.mark.parametrize("tool", ["Read", "Grep", "Glob", "LS"])
def test_a_tool_that_only_reads_just_runs_again(tool: str) -> None:
    assert not Past([CallRecord(BEGAN)]).may_have_had_effects("2", tool)
    assert Past([CallRecord(BEGAN)]).may_have_had_effects("2", "Bash")


async def test_an_approved_call_waits_while_there_is_no_leader() -> None:
    hold = Hold()
    hold.begin("the leader is gone")
    scene = Scene(hold=hold)
    outcomes = []

    async def call() -> None:
        outcomes.append(await scene.call({"text": "hi"}))

    async with anyio.create_task_group() as group:
        group.start_soon(call)
        await anyio.wait_all_tasks_blocked()
        assert len(scene.strategy.asked) == 1
        assert scene.tool.ran == []
        hold.end()
    assert [outcome.outcome for outcome in outcomes] == ["succeeded"]


async def test_a_call_that_waits_for_a_leader_can_be_refused_by_the_end_of_the_worker() -> None:
    hold = Hold()
    hold.begin("the leader is gone")
    scene = Scene(hold=hold)
    outcomes = []

    async def call() -> None:
        outcomes.append(await scene.call({"text": "hi"}))

    async with anyio.create_task_group() as group:
        group.start_soon(call)
        await anyio.wait_all_tasks_blocked()
        scene.gate.close("nobody came")
        hold.end()
    assert [outcome.outcome for outcome in outcomes] == ["denied"]
    assert scene.tool.ran == []


def test_a_path_is_named_in_the_error_of_a_journal_that_cannot_be_read(tmp_path: Path) -> None:
    from swarm.ipc.messages import Start
    from swarm.worker.errors import InvalidStart
    from swarm.worker.past import past_of

    folder = tmp_path / "workers" / "w" / "calls.jsonl"
    folder.mkdir(parents=True)
    start = Start(
        protocol=1, worker="w", kind="script", agent={}, cwd="/", attempt=2, session=str(tmp_path)
    )
    with pytest.raises(InvalidStart, match="cannot be read whole"):
        past_of(start)
