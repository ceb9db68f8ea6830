"""What another leader left waits again as it was first shown, and what it decided stays decided."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import pytest

from support.approving import FakeAsker, House, allowing, house, request
from support.waiting import until
from swarm.ipc.digest import content_digest
from swarm.ipc.messages import PermissionResponse, Preview
from swarm.leader.core.left import Left
from swarm.leader.core.restoring import LeftRequest
from swarm.leader.errors import AlreadyDecided
from swarm.leader.session.entries import (
    CallDecided,
    RequestAsked,
    RequestDecided,
    RequestEnded,
    SessionStarted,
)
from swarm.permissions.model import Behavior, Reason

STARTED = SessionStarted(session_id="s", name="n", plan_file="/p", pid=1, program="swarm")


def asked(command: str = "make", number: int = 7, interrupted: bool = False) -> RequestAsked:
    preview = Preview(title=command)
    return RequestAsked(
        request_id=f"r{number}",
        wire_id=f"w{number}",
        worker="tests",
        tool="Bash",
        input={"command": command},
        cwd="/w",
        preview=preview,
        digest=content_digest("Bash", {"command": command}, "/w", preview),
        why="No rule covers it.",
        call_id=f"c{number}",
        interrupted=interrupted,
    )


def decided(behavior: Behavior = Behavior.ALLOW) -> RequestDecided:
    entry = asked()
    return RequestDecided(
        request_id=entry.request_id,
        worker="tests",
        digest=entry.digest,
        behavior=behavior,
        reason=Reason.INTERACTIVE_ALLOW_ONCE,
        by="person",
    )


def restore(
    home: House, *requests: LeftRequest, answered: Sequence[CallDecided] = ()
) -> list[PermissionResponse]:
    told: list[PermissionResponse] = []
    left = Left(STARTED, 1.0, requests=requests, answered=tuple(answered), request_count=9)
    home.approvals.restore(left, {"tests": "#ffffff"}, {"tests": told.append})
    return told


async def test_it_is_shown_under_its_first_id_and_age_and_new_ones_are_counted_on(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        told = restore(home, LeftRequest(asked(), 2.5))
        (view,) = home.approvals.queue
        assert (view.id, view.asked_at, view.digest) == ("r7", 2.5, asked().digest)
        home.approvals.asked(FakeAsker(), request("other", "w99", "c99"))
        assert [shown.id for shown in await home.shown(2)] == ["r7", "r10"]
        await home.approvals.answer(allowing(view))
        assert [response.request_id for response in told] == ["w7"]
        assert not [entry for entry in home.written() if entry == asked()]


async def test_an_answer_before_the_worker_is_back_is_told_when_it_asks_again(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        restore(home, LeftRequest(asked(), 2.5))
        await home.approvals.answer(allowing(home.approvals.queue[0]))
        asker = FakeAsker()
        home.approvals.asked(asker, request("make", "w7", "c7"))
        assert [response.behavior for response in asker.responses] == ["allow"]
        home.approvals.took("tests", "w7")
        assert isinstance(home.written()[-1], RequestEnded)


@pytest.mark.parametrize("delivered", [False, True])
async def test_what_was_decided_is_not_shown_but_told_again_to_who_asks(
    tmp_path: Path, delivered: bool
) -> None:
    async with house(tmp_path) as home:
        told = restore(home, LeftRequest(asked(), 2.5, decided=decided(), delivered=delivered))
        assert (home.approvals.queue, told) == ((), [])
        with pytest.raises(AlreadyDecided, match="allowed by a person"):
            home.approvals.find("r7")
        asker = FakeAsker()
        home.approvals.asked(asker, request("make", "w7", "c7"))
        assert [response.reason for response in asker.responses] == [Reason.INTERACTIVE_ALLOW_ONCE]
        home.approvals.acted("tests", "c7", "succeeded")
        ends = [entry.state for entry in home.written() if isinstance(entry, RequestEnded)]
        assert ends == (["acted"] if delivered else ["delivered", "acted"])


async def test_a_call_that_rules_decided_is_answered_as_it_was_and_not_written_again(
    tmp_path: Path,
) -> None:
    entry = asked("ok")
    call = CallDecided(
        wire_id="w7",
        worker="tests",
        tool="Bash",
        input=entry.input,
        cwd="/w",
        preview=entry.preview,
        digest=entry.digest,
        behavior=Behavior.DENY,
        reason=Reason.SETTINGS_DENY,
        message="as it was then",
    )
    async with house(tmp_path) as home:
        restore(home, answered=[call])
        asker = FakeAsker()
        home.approvals.asked(asker, request("ok", "w7", "c7"))
        (response,) = asker.responses
        assert (response.behavior, response.message) == ("deny", "as it was then")
        assert home.written() == []


@pytest.mark.parametrize("on_ask", ["deny", "fail"])
async def test_where_nobody_can_be_asked_now_what_waits_is_denied(
    tmp_path: Path, on_ask: Literal["deny", "fail"]
) -> None:
    async with house(tmp_path, on_ask=on_ask) as home:
        told = restore(home, LeftRequest(asked(), 2.5))
        await until(lambda: told)
        assert told[0].behavior == "deny"
        assert "nobody is here to ask" in told[0].message
        assert home.approvals.queue == ()


async def test_what_was_cut_short_is_still_allowed_by_no_rule(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        told = restore(home, LeftRequest(asked("ok", interrupted=True), 2.5))
        home.approvals.reconsider()
        await home.journal.commit()
        assert ([view.id for view in home.approvals.queue], told) == (["r7"], [])
