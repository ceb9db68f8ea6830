"""What a journal tells of a session that its leader has left."""

from collections.abc import Iterator
from typing import Any

import pytest

from swarm.ipc.messages import Preview, ToolEnded
from swarm.leader.core.left import Left
from swarm.leader.core.recollection import CALLS_KEPT, recollect
from swarm.leader.core.views import WorkerPhase
from swarm.leader.session.chain import Record
from swarm.leader.session.entries import (
    AnyEntry,
    CallDecided,
    EndState,
    Happened,
    ModeChanged,
    RequestAsked,
    RequestDecided,
    RequestEnded,
    RuleExpired,
    RuleGranted,
    RuleRevoked,
    SessionEnded,
    SessionResumed,
    SessionStarted,
    WorkerChanged,
    WorkerFinished,
)
from swarm.permissions.model import Behavior, Layer, Mode, Reason

STARTED = SessionStarted(session_id="s", name="checks", plan_file="/p.yaml", pid=7, program="swarm")
RULE = "Bash(make:*)"


def records(*entries: AnyEntry) -> Iterator[Record]:
    for number, entry in enumerate((STARTED, *entries), 1):
        yield Record(n=number, at=float(number), prev="", hash="", entry=entry)


def left(*entries: AnyEntry) -> Left:
    found = recollect(records(*entries)).left
    assert found is not None
    return found


def call(call_id: str) -> dict[str, Any]:
    return {
        "wire_id": f"w-{call_id}",
        "worker": "tests",
        "tool": "Bash",
        "input": {"command": "make"},
        "cwd": "/",
        "preview": Preview(title="make"),
        "digest": "ab",
        "call_id": call_id,
    }


def asked(number: int) -> RequestAsked:
    return RequestAsked(request_id=f"r{number}", why="no rule", **call(str(number)))


def decided(number: int, rule: str = "") -> RequestDecided:
    return RequestDecided(
        request_id=f"r{number}",
        worker="tests",
        digest="ab",
        behavior=Behavior.ALLOW,
        reason=Reason.INTERACTIVE_ALLOW_ONCE,
        rule=rule,
    )


def by_rules(call_id: str, rule: str = RULE) -> CallDecided:
    return CallDecided(behavior=Behavior.ALLOW, reason=Reason.SETTINGS_ALLOW, rule=rule, **call(call_id))


def changed(phase: WorkerPhase, attempt: int = 1, **fields: Any) -> WorkerChanged:
    return WorkerChanged(worker="tests", phase=phase, attempt=attempt, **fields)


def granted(number: int, uses: int | None = None) -> RuleGranted:
    return RuleGranted(rule=RULE, layer=Layer.SESSION, number=number, uses=uses)


def test_a_session_that_never_began_has_left_nothing() -> None:
    assert recollect([]).left is None


def test_a_request_that_waits_keeps_its_id_its_first_age_and_its_entry() -> None:
    (request,) = left(asked(1)).requests
    assert (request.asked.request_id, request.asked_at, request.entry) == ("r1", 2.0, 2)
    assert request.decided is None


def test_a_decision_stays_until_its_call_has_ended() -> None:
    assert left(asked(1), decided(1)).requests[0].decided == decided(1)
    delivered = left(asked(1), decided(1), RequestEnded(request_id="r1", state="delivered")).requests[0]
    assert delivered.delivered


@pytest.mark.parametrize("state", ["acted", "withdrawn", "expired", "orphaned"])
def test_a_request_that_has_ended_is_not_left(state: EndState) -> None:
    found = left(asked(1), asked(2), RequestEnded(request_id="r1", state=state))
    assert [request.asked.request_id for request in found.requests] == ["r2"]
    assert found.request_count == 2


def test_answers_by_rules_are_kept_until_their_call_has_ended() -> None:
    ended = Happened(worker="tests", event=ToolEnded(call_id="1", outcome="succeeded"))
    assert [call.call_id for call in left(by_rules("1"), by_rules("2"), ended).answered] == ["2"]


def test_answers_by_rules_to_an_earlier_attempt_are_not_kept() -> None:
    assert left(by_rules("1"), changed(WorkerPhase.STARTING, 2)).answered == ()


def test_no_more_answers_by_rules_are_kept_than_the_limit() -> None:
    found = left(*(by_rules(str(number)) for number in range(CALLS_KEPT + 5)))
    assert len(found.answered) == CALLS_KEPT
    assert found.answered[0].call_id == "5"


def test_a_worker_is_what_its_last_change_says_of_the_process_that_was_named_before() -> None:
    found = left(
        changed(WorkerPhase.STARTING, pid=9, process_started=4.5), changed(WorkerPhase.RUNNING)
    ).workers["tests"]
    assert (found.changed.phase, found.changed.pid) == (WorkerPhase.RUNNING, 9)
    assert (found.changed.process_started, found.at) == (4.5, 3.0)


def test_another_attempt_has_no_process_until_it_is_named() -> None:
    found = left(
        changed(WorkerPhase.RUNNING, pid=9, process_started=4.5), changed(WorkerPhase.STARTING, 2)
    ).workers["tests"]
    assert (found.changed.pid, found.changed.process_started) == (None, None)


def test_a_worker_that_has_ended_keeps_its_result() -> None:
    finished = WorkerFinished(worker="tests", attempt=1, status="succeeded", text="all pass")
    found = left(changed(WorkerPhase.RUNNING), finished, changed(WorkerPhase.SUCCEEDED)).workers["tests"]
    assert (found.changed.phase, found.finished) == (WorkerPhase.SUCCEEDED, finished)


@pytest.mark.parametrize(
    "end",
    [
        RuleRevoked(number=1, rule=RULE, layer=Layer.SESSION),
        RuleExpired(number=1, rule=RULE, layer=Layer.SESSION),
    ],
)
def test_a_grant_is_left_unless_it_was_taken_back_or_has_ended(end: AnyEntry) -> None:
    assert left(granted(1)).grants == ((granted(1), 2.0),)
    assert left(granted(1), granted(2), end).grants == ((granted(2), 3.0),)
    assert left(granted(1), granted(2), end).grant_count == 2


def test_the_uses_of_a_grant_are_counted_whoever_decided_by_it() -> None:
    assert left(granted(1, uses=3), by_rules("1"), asked(1), decided(1, RULE)).grants[0][0].uses == 1
    assert left(granted(1, uses=1), by_rules("1")).grants == ()


def test_other_rules_use_up_no_grant() -> None:
    assert left(granted(1, uses=1), by_rules("1", "Bash(ls)")).grants[0][0].uses == 1


def test_the_mode_is_the_one_that_was_set_last_for_the_team() -> None:
    found = left(ModeChanged(mode=Mode.PLAN), ModeChanged(mode=Mode.DONT_ASK, worker="tests"))
    assert found.started.mode is Mode.PLAN


def test_a_session_has_ended_until_it_is_resumed() -> None:
    ended = SessionEnded(exit_code=1)
    assert recollect(records(ended)).ended == ended
    assert recollect(records(ended, SessionResumed(pid=8, program="swarm"))).ended is None
