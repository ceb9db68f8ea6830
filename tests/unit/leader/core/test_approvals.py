"""How requests of workers are decided, and that no path lets one through or loses it."""

import os
from dataclasses import replace
from pathlib import Path

import anyio
import pytest

from support.approving import FakeAsker, allowing, house, request
from support.waiting import until
from swarm.ipc.call_log import CallHistory
from swarm.ipc.messages import PermissionRequest, PermissionWithdrawn, Preview
from swarm.leader import registry
from swarm.leader.core.approvals import WAITING_BYTES, WAITING_LIMIT
from swarm.leader.core.views import AnswerToRequest, RequestView
from swarm.leader.errors import (
    AlreadyDecided,
    DigestMismatch,
    UnknownRequest,
)
from swarm.leader.session.entries import (
    CallDecided,
    RequestAsked,
    RequestDecided,
    RequestEnded,
)
from swarm.leader.session.journal import Disk
from swarm.permissions.model import Reason, Request
from swarm.permissions.speculation import Opinion


async def test_a_call_that_a_rule_allows_is_answered_at_once_and_audited(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        asker = FakeAsker()
        home.approvals.asked(asker, request("ok"))
        (response,) = asker.responses
        assert (response.behavior, response.reason) == ("allow", Reason.SETTINGS_ALLOW)
        (entry,) = home.written()
        assert isinstance(entry, CallDecided)
        assert (entry.input, entry.digest) == ({"command": "ok"}, response.digest)


async def test_a_call_that_a_rule_denies_is_refused_with_the_reason(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        asker = FakeAsker()
        home.approvals.asked(asker, request("bad"))
        (response,) = asker.responses
        assert (response.behavior, response.reason) == ("deny", Reason.SETTINGS_DENY)
        assert "A rule denies it." in response.message


async def test_a_request_is_on_disk_before_it_is_shown_and_its_decision_before_it_is_told(
    tmp_path: Path,
) -> None:
    synced: list[int] = []
    disk = Disk(sync=lambda descriptor: synced.append(os.fstat(descriptor).st_size))
    async with house(tmp_path, disk=disk) as home:
        asker = FakeAsker()
        home.approvals.asked(asker, request("make"))
        assert home.approvals.queue == ()
        (view,) = await home.shown()
        assert len(synced) == 1
        await home.approvals.answer(allowing(view))
        assert len(synced) == 2
        assert [type(entry) for entry in home.written()] == [RequestAsked, RequestDecided]
        home.approvals.took("tests", "w1")
        assert home.written()[-1] == RequestEnded(
            request_id="r1", state="delivered", detail="interactive-allow-once"
        )
        (response,) = asker.responses
        assert response.reason == Reason.INTERACTIVE_ALLOW_ONCE
        assert response.digest == view.digest


async def test_only_the_first_answer_counts(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        asker = FakeAsker()
        home.approvals.asked(asker, request("make"))
        (view,) = await home.shown()
        await home.approvals.answer(allowing(view))
        with pytest.raises(AlreadyDecided, match="allowed by a person"):
            await home.approvals.answer(AnswerToRequest(view.id, view.digest, "deny"))
        assert len(asker.responses) == 1


async def test_two_answers_at_the_same_moment_give_one_decision(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        asker = FakeAsker()
        home.approvals.asked(asker, request("make"))
        (view,) = await home.shown()
        refused = []

        async def answer(verb: AnswerToRequest) -> None:
            try:
                await home.approvals.answer(verb)
            except AlreadyDecided as error:
                refused.append(error)

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(answer, allowing(view))
            tasks.start_soon(answer, AnswerToRequest(view.id, view.digest, "deny"))
        assert (len(asker.responses), len(refused)) == (1, 1)


async def test_an_answer_about_other_content_is_refused(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        asker = FakeAsker()
        home.approvals.asked(asker, request("make"))
        (view,) = await home.shown()
        with pytest.raises(DigestMismatch):
            await home.approvals.answer(replace(allowing(view), digest="0" * 64))
        assert asker.responses == []
        assert home.approvals.queue == (view,)


async def test_an_answer_to_what_was_never_asked_is_refused(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        with pytest.raises(UnknownRequest):
            await home.approvals.answer(AnswerToRequest("r9", "", "allow_once"))


async def test_a_denial_carries_the_persons_words_to_the_agent(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        asker = FakeAsker()
        home.approvals.asked(asker, request("make"))
        (view,) = await home.shown()
        await home.approvals.answer(AnswerToRequest(view.id, view.digest, "deny", "use ninja"))
        (response,) = asker.responses
        assert (response.behavior, response.reason) == ("deny", Reason.INTERACTIVE_DENY)
        assert "use ninja" in response.message


async def test_a_withdrawn_request_leaves_the_queue_and_takes_no_answer(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        asker = FakeAsker()
        home.approvals.asked(asker, request("make"))
        (view,) = await home.shown()
        home.approvals.withdrawn("tests", PermissionWithdrawn(request_id="w1", why="cancelled"))
        assert home.approvals.queue == ()
        with pytest.raises(AlreadyDecided, match="withdrawn"):
            await home.approvals.answer(allowing(view))
        assert asker.responses == []


async def test_requests_of_a_worker_that_died_are_orphaned_and_those_of_others_stay(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        home.approvals.asked(FakeAsker("dead"), request("make"))
        home.approvals.asked(FakeAsker("alive"), request("make"))
        await home.shown(2)
        home.approvals.lost("dead", CallHistory(), "it was killed")
        assert [view.worker for view in home.approvals.queue] == ["alive"]
        end = RequestEnded(request_id="r1", state="orphaned", detail="not run: it was killed")
        assert home.written()[-1] == end


async def test_how_an_approved_call_ended_is_written(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        home.approvals.asked(FakeAsker(), request("make"))
        (view,) = await home.shown()
        await home.approvals.answer(allowing(view))
        home.approvals.acted("tests", "c1", "succeeded")
        assert home.written()[-1] == RequestEnded(request_id="r1", state="acted", detail="succeeded")


async def test_where_nobody_can_be_asked_a_call_is_denied_and_what_would_allow_it_is_kept(
    tmp_path: Path,
) -> None:
    async with house(tmp_path, on_ask="deny") as home:
        asker = FakeAsker()
        home.approvals.asked(asker, request("make"))
        assert asker.responses[0].reason == Reason.SETTINGS_DENY
        (missed,) = home.approvals.missed("tests", ("w1",))
        assert missed.allow == ("make",)
        assert home.stops == []


async def test_a_run_that_is_to_fail_ends_with_the_first_call_that_is_not_allowed(tmp_path: Path) -> None:
    async with house(tmp_path, on_ask="fail") as home:
        home.approvals.asked(FakeAsker(), request("make"))
        assert len(home.stops) == 1


class Sure:
    """A classifier that holds everything for safe."""

    async def classify(self, request: Request) -> Opinion:
        return Opinion(True, "it only reads")


async def test_a_classifier_that_is_sure_saves_the_prompt(tmp_path: Path) -> None:
    async with house(tmp_path, classifier=Sure()) as home:
        asker = FakeAsker()
        home.approvals.asked(asker, request("make"))
        await until(lambda: len(asker.responses) == 1)
        assert asker.responses[0].reason == Reason.SPECULATIVE_ALLOW
        assert home.approvals.queue == ()


@pytest.mark.parametrize(("shown", "behavior"), [("ok/other", "allow"), ("bad/other", "deny")])
async def test_the_rules_have_to_hold_for_the_path_that_is_shown_as_well(
    tmp_path: Path, shown: str, behavior: str
) -> None:
    preview = Preview(title="Write link", paths=(shown,))
    message = PermissionRequest(
        id="w1", call_id="c1", tool="Write", input={"file_path": "ok/link"}, cwd="/w", preview=preview
    )
    async with house(tmp_path) as home:
        asker = FakeAsker()
        home.approvals.asked(asker, message)
        assert [response.behavior for response in asker.responses] == [behavior]


async def test_what_the_classifier_settles_at_once_is_never_shown(tmp_path: Path) -> None:
    shown: list[RequestView] = []

    def watch(updater: registry.QueueUpdater) -> None:
        shown.extend(updater(()))

    registry.register_confirm_queue(watch)
    try:
        async with house(tmp_path, classifier=Sure()) as home:
            asker = FakeAsker()
            home.approvals.asked(asker, request("make"))
            await until(lambda: len(asker.responses) == 1)
    finally:
        registry.unregister_confirm_queue(watch)
    assert shown == []
    assert home.approvals.endings == {"r1": "allowed by the classifier"}


async def test_the_queue_on_screen_follows_through_the_registry(tmp_path: Path) -> None:
    shown: tuple[RequestView, ...] = ()

    def set_queue(updater: registry.QueueUpdater) -> None:
        nonlocal shown
        shown = updater(shown)

    registry.register_confirm_queue(set_queue)
    try:
        async with house(tmp_path) as home:
            home.approvals.asked(FakeAsker(), request("make"))
            home.approvals.asked(FakeAsker("other"), request("test"))
            await home.shown(2)
            assert shown == home.approvals.queue
            await home.approvals.answer(allowing(shown[0]))
            assert [view.worker for view in shown] == ["other"]
    finally:
        registry.unregister_confirm_queue(set_queue)


async def test_a_worker_that_asks_too_much_at_once_is_denied_the_rest_and_harms_no_other(
    tmp_path: Path,
) -> None:
    async with house(tmp_path) as home:
        greedy, other = FakeAsker("greedy"), FakeAsker("other")
        large = "x" * (WAITING_BYTES // 5)  # twice in a request: as command and as title
        for number in range(3):
            home.approvals.asked(greedy, request(large, f"w{number}", f"c{number}"))
        home.approvals.asked(other, request("make"))
        queue = await home.shown(3)
        assert [view.worker for view in queue] == ["greedy", "greedy", "other"]
        (refused,) = greedy.responses
        assert (refused.request_id, refused.behavior) == ("w2", "deny")
        assert "2 calls of this worker wait already" in refused.message


async def test_requests_that_are_not_shown_yet_count_among_those_that_wait(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        asker = FakeAsker()
        for number in range(WAITING_LIMIT + 1):
            home.approvals.asked(asker, request("make", f"w{number}", f"c{number}"))
        assert len(asker.responses) == 1
