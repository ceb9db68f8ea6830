"""A worker asks again on its next way: nothing is decided or shown twice, and nothing is lost."""

from pathlib import Path

import pytest

from support.approving import FakeAsker, allowing, house, request
from support.waiting import until
from swarm.ipc.call_log import CallHistory
from swarm.ipc.messages import PermissionWithdrawn
from swarm.leader.core.asking import OnAsk
from swarm.leader.core.views import AnswerToRequest
from swarm.leader.errors import AlreadyDecided
from swarm.leader.session.entries import CallDecided, RequestAsked, RequestDecided, RequestEnded
from swarm.permissions.model import Reason


async def test_a_request_that_waits_goes_on_waiting_and_its_answer_goes_the_new_way(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        before, after = FakeAsker(), FakeAsker()
        home.approvals.asked(before, request("make"))
        (view,) = await home.shown()
        home.approvals.asked(after, request("make"))
        assert home.approvals.queue == (view,)
        await home.approvals.answer(allowing(view))
        assert (before.responses, len(after.responses)) == ([], 1)
        assert [type(entry) for entry in home.written()] == [RequestAsked, RequestDecided]


async def test_a_decided_request_gets_the_same_answer_again_until_the_worker_has_it(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        asker, again = FakeAsker(), FakeAsker()
        home.approvals.asked(asker, request("make"))
        (view,) = await home.shown()
        await home.approvals.answer(allowing(view))
        home.approvals.asked(again, request("make"))
        assert again.responses == asker.responses
        with pytest.raises(AlreadyDecided):
            await home.approvals.answer(AnswerToRequest(view.id, view.digest, "deny"))
        home.approvals.took("tests", "w1")
        home.approvals.took("tests", "w1")
        states = [entry.state for entry in home.written() if isinstance(entry, RequestEnded)]
        assert states == ["delivered"]


async def test_an_answer_of_rules_is_the_same_again_and_written_once(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        asker, again = FakeAsker(), FakeAsker()
        home.approvals.asked(asker, request("ok"))
        home.judge.failure = None
        home.approvals.asked(again, request("ok"))
        assert again.responses == asker.responses
        assert [type(entry) for entry in home.written()] == [CallDecided]


async def test_what_has_ended_is_let_run_no_more(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        asker = FakeAsker()
        home.approvals.asked(asker, request("make"))
        (view,) = await home.shown()
        await home.approvals.answer(allowing(view))
        home.approvals.acted("tests", "c1", "succeeded")
        home.approvals.asked(asker, request("make"))
        assert [response.behavior for response in asker.responses] == ["allow", "deny"]
        assert "ended already" in asker.responses[-1].message
        ends = [entry.state for entry in home.written() if isinstance(entry, RequestEnded)]
        assert ends == ["delivered", "acted"]
        assert home.approvals.queue == ()


async def test_what_was_withdrawn_is_denied_and_what_was_denied_stays_so(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        asker = FakeAsker()
        home.approvals.asked(asker, request("make", "w1", "c1"))
        home.approvals.asked(asker, request("make", "w2", "c2"))
        _, second = await home.shown(2)
        home.approvals.withdrawn("tests", PermissionWithdrawn(request_id="w1", why="enough"))
        await home.approvals.answer(AnswerToRequest(second.id, second.digest, "deny", "no"))
        home.approvals.acted("tests", "c2", "denied")
        home.approvals.asked(asker, request("make", "w1", "c1"))
        home.approvals.asked(asker, request("make", "w2", "c2"))
        denied, withdrawn, again = asker.responses
        assert (denied, withdrawn.behavior) == (again, "deny")


async def test_another_content_under_the_same_id_is_denied_and_the_first_one_waits_on(
    tmp_path: Path,
) -> None:
    async with house(tmp_path) as home:
        asker = FakeAsker()
        home.approvals.asked(asker, request("make"))
        (view,) = await home.shown()
        home.approvals.asked(asker, request("rm"))
        (response,) = asker.responses
        assert (response.behavior, response.digest == view.digest) == ("deny", False)
        assert home.approvals.queue == (view,)


async def test_the_next_attempt_of_a_worker_that_died_asks_anew(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        asker = FakeAsker()
        home.approvals.asked(asker, request("ok"))
        home.approvals.lost("tests", CallHistory(), "it was killed")
        home.approvals.asked(asker, request("ok"))
        assert [type(entry) for entry in home.written()] == [CallDecided, CallDecided]


async def test_a_call_that_was_cut_short_is_allowed_by_no_rule_and_waits_for_a_person(
    tmp_path: Path,
) -> None:
    async with house(tmp_path) as home:
        asker = FakeAsker()
        home.approvals.asked(asker, request("ok", interrupted=True))
        (view,) = await home.shown()
        assert "may have had effects" in view.why
        home.approvals.reconsider()
        await home.journal.commit()
        assert (home.approvals.queue, asker.responses) == ((view,), [])
        await home.approvals.answer(allowing(view))
        assert [response.reason for response in asker.responses] == [Reason.INTERACTIVE_ALLOW_ONCE]
        (asked, *_) = home.written()
        assert isinstance(asked, RequestAsked)
        assert asked.interrupted


@pytest.mark.parametrize(("command", "on_ask"), [("bad", "wait"), ("ok", "deny"), ("ok", "fail")])
async def test_a_call_that_was_cut_short_is_denied_by_rule_and_where_nobody_can_be_asked(
    tmp_path: Path, command: str, on_ask: OnAsk
) -> None:
    async with house(tmp_path, on_ask=on_ask) as home:
        asker = FakeAsker()
        home.approvals.asked(asker, request(command, interrupted=True))
        assert [response.behavior for response in asker.responses] == ["deny"]


async def test_a_rule_granted_meanwhile_allows_others_but_not_what_was_cut_short(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        asker = FakeAsker()
        home.approvals.asked(asker, request("make", "w1", "c1", interrupted=True))
        home.approvals.asked(asker, request("make", "w2", "c2"))
        cut_short, other = await home.shown(2)
        await home.approvals.answer(
            AnswerToRequest(other.id, other.digest, "allow_always", offers=other.offers)
        )
        await until(lambda: home.approvals.queue == (cut_short,))
        assert [response.request_id for response in asker.responses] == ["w2"]
