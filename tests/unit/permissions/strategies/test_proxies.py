"""Calls that are decided above: whatever goes wrong on the way, nothing runs and the words are true."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import anyio
import pytest
from anyio.abc import TaskGroup
from anyio.lowlevel import checkpoint
from hypothesis import given, settings
from hypothesis import strategies as st

from swarm.ipc.errors import ChannelClosed, Overfull
from swarm.ipc.messages import PermissionRequest, PermissionResponse, PermissionWithdrawn, Preview
from swarm.permissions.model import Behavior, Decision, Reason, Request
from swarm.permissions.strategies.coordinator import Coordinator
from swarm.permissions.strategies.swarm_worker import SwarmWorker
from swarm.permissions.wire import digest_of, response_message

REQUEST = Request("Bash", {"command": "make"}, "/w")
PREVIEW = Preview(title="make")
YES = Decision(Behavior.ALLOW, Reason.INTERACTIVE_ALLOW_ONCE, "go on")


class Upward:
    """A way up that keeps what was sent, or fails as told."""

    def __init__(self, failure: Exception | None = None) -> None:
        self.requests: list[PermissionRequest] = []
        self.withdrawn: list[PermissionWithdrawn] = []
        self.failure = failure

    def wait_briefly(self) -> None:
        return None

    def send(self, message: PermissionRequest | PermissionWithdrawn) -> str:
        if self.failure is not None:
            raise self.failure
        if isinstance(message, PermissionWithdrawn):
            self.withdrawn.append(message)
            return "w"
        self.requests.append(message)
        return f"q{len(self.requests)}"


def reply(upward: Upward, number: int, decision: Decision = YES) -> PermissionResponse:
    return response_message(f"q{number}", digest_of(upward.requests[number - 1]), decision)


class Calls:
    """Calls that wait in the background, by their id, and how they ended."""

    def __init__(self, strategy: SwarmWorker | Coordinator, group: TaskGroup) -> None:
        self.strategy = strategy
        self.group = group
        self.ended: dict[str, Decision] = {}

    async def begin(self, *call_ids: str) -> None:
        expected = self.strategy.waiting + len(call_ids)
        for call_id in call_ids:
            self.group.start_soon(self._run, call_id)
        await self.until(lambda: self.strategy.waiting == expected)

    async def _run(self, call_id: str) -> None:
        self.ended[call_id] = await self.strategy.decide(REQUEST, PREVIEW, call_id)

    async def until(self, condition: Callable[[], bool]) -> None:
        with anyio.fail_after(5):
            while not condition():
                await checkpoint()

    async def end(self, call_id: str) -> Decision:
        await self.until(lambda: call_id in self.ended)
        return self.ended[call_id]


@asynccontextmanager
async def calls(strategy: SwarmWorker | Coordinator) -> AsyncIterator[Calls]:
    async with anyio.create_task_group() as group:
        yield Calls(strategy, group)
        group.cancel_scope.cancel()


async def test_the_leaders_answer_is_the_workers_decision() -> None:
    upward = Upward()
    worker = SwarmWorker(upward)
    async with calls(worker) as waiting:
        await waiting.begin("c1")
        worker.deliver(reply(upward, 1))
        decision = await waiting.end("c1")
    assert decision == Decision(
        Behavior.ALLOW, Reason.WORKER_PROXY, "go on", leader_reason="interactive-allow-once"
    )
    assert upward.withdrawn == []


async def test_calls_wait_side_by_side_and_are_answered_in_any_order() -> None:
    upward = Upward()
    worker = SwarmWorker(upward)
    async with calls(worker) as waiting:
        await waiting.begin("c1", "c2", "c3")
        worker.deliver(reply(upward, 2))
        assert (await waiting.end("c2")).allowed
        assert worker.waiting == 2
        worker.deliver(reply(upward, 1, Decision(Behavior.DENY, Reason.INTERACTIVE_DENY, "no")))
        assert (await waiting.end("c1")).message == "no"
        assert "c3" not in waiting.ended


async def test_an_answer_with_another_digest_denies_and_is_reported() -> None:
    upward, reports = Upward(), list[str]()
    worker = SwarmWorker(upward, reports.append)
    async with calls(worker) as waiting:
        await waiting.begin("c1")
        worker.deliver(response_message("q1", "0" * 64, YES))
        decision = await waiting.end("c1")
    assert not decision.allowed
    assert "other content" in decision.message
    assert "other content" in reports[0]


async def test_unknown_and_repeated_answers_are_ignored_with_a_report() -> None:
    upward, reports = Upward(), list[str]()
    worker = SwarmWorker(upward, reports.append)
    async with calls(worker) as waiting:
        await waiting.begin("c1")
        worker.deliver(response_message("q9\x1b[2J" + "x" * 999, "d", YES))
        worker.deliver(reply(upward, 1))
        worker.deliver(reply(upward, 1, Decision(Behavior.DENY, Reason.INTERACTIVE_DENY)))
        assert (await waiting.end("c1")).allowed
        worker.deliver(reply(upward, 1))
    assert len(reports) == 3
    assert all("no call waits for it" in report and "\x1b" not in report for report in reports)
    assert max(map(len, reports)) < 250


async def test_a_cancelled_call_withdraws_its_request() -> None:
    upward = Upward()
    worker = SwarmWorker(upward)
    with anyio.move_on_after(0.01):
        await worker.decide(REQUEST, PREVIEW, "c1")
    assert upward.withdrawn == [PermissionWithdrawn(request_id="q1", why="the call was cancelled")]
    assert worker.waiting == 0


async def test_a_closed_channel_denies_every_waiting_call_and_all_later_ones() -> None:
    upward = Upward()
    worker = SwarmWorker(upward)
    async with calls(worker) as waiting:
        await waiting.begin("c1", "c2")
        worker.closed("end of file")
        worker.closed("twice")
        ends = [await waiting.end("c1"), await waiting.end("c2")]
    ends.append(await worker.decide(REQUEST, PREVIEW, "c3"))
    assert len(upward.requests) == 2
    for decision in ends:
        assert not decision.allowed
        assert decision.reason is Reason.WORKER_PROXY
        assert "is gone (end of file)" in decision.message


@pytest.mark.parametrize(
    ("failure", "words"),
    [
        (ChannelClosed("broken pipe"), "is gone (broken pipe)"),
        (Overfull(9, 1), "could not be put to anybody"),
        (RuntimeError("odd"), "could not be put to anybody"),
    ],
)
async def test_a_request_that_cannot_be_sent_is_denied(failure: Exception, words: str) -> None:
    decision = await SwarmWorker(Upward(failure)).decide(REQUEST, PREVIEW, "c1")
    assert not decision.allowed
    assert words in decision.message


@pytest.mark.parametrize("value", ["\ud800", object(), {1j: 2}])
async def test_input_that_is_no_json_is_denied_without_asking(value: object) -> None:
    upward = Upward()
    decision = await SwarmWorker(upward).decide(Request("Bash", {"command": value}, "/w"), PREVIEW, "c1")
    assert not decision.allowed
    assert upward.requests == []


async def test_a_withdrawal_of_the_workers_own_ends_the_wait() -> None:
    upward = Upward()
    worker = SwarmWorker(upward)
    async with calls(worker) as waiting:
        await waiting.begin("c1", "c2")
        assert worker.withdraw("c1", "the turn was stopped")
        decision = await waiting.end("c1")
        assert "withdrawn before it was answered (the turn was stopped)" in decision.message
        assert "c2" not in waiting.ended
        assert not worker.withdraw("c1", "again")
    assert upward.withdrawn[0] == PermissionWithdrawn(request_id="q1", why="the turn was stopped")


async def test_a_withdrawal_that_cannot_be_sent_is_reported() -> None:
    upward, reports = Upward(), list[str]()
    worker = SwarmWorker(upward, reports.append)
    async with calls(worker) as waiting:
        await waiting.begin("c1")
        upward.failure = ChannelClosed("broken pipe")
        assert worker.withdraw("c1", "stopped")
        assert not (await waiting.end("c1")).allowed
    assert "could not be sent" in reports[0]


async def test_a_coordinator_puts_the_path_and_keeps_the_upper_reason() -> None:
    upward = Upward()
    coordinator = Coordinator(upward, "tests")
    async with calls(coordinator) as waiting:
        await waiting.begin("c1")
        assert upward.requests[0].agent == ("tests",)
        coordinator.deliver(reply(upward, 1))
        decision = await waiting.end("c1")
    assert decision == Decision(
        Behavior.ALLOW, Reason.COORDINATOR_ALLOW, "go on", leader_reason="interactive-allow-once"
    )


async def test_a_coordinator_without_an_answer_denies_as_a_time_out_and_withdraws() -> None:
    upward, reports = Upward(), list[str]()
    coordinator = Coordinator(upward, "tests", reports.append, limit=0.01)
    decision = await coordinator.decide(REQUEST, PREVIEW, "c1")
    assert decision.reason is Reason.COORDINATOR_DENY
    assert "timed out" in decision.message
    assert "Nobody declined it" in decision.message
    assert upward.withdrawn == [PermissionWithdrawn(request_id="q1", why="no answer came within 0.01 s")]
    coordinator.deliver(reply(upward, 1))
    assert len(reports) == 1


STEP = st.tuples(st.sampled_from(["right", "wrong digest", "deny", "withdraw"]), st.integers(1, 4))


@settings(max_examples=60, deadline=None)
@given(st.lists(STEP, max_size=8), st.booleans())
def test_each_call_ends_once_and_only_a_fitting_allow_runs(
    steps: list[tuple[str, int]], close: bool
) -> None:
    anyio.run(play, steps, close)


async def play(steps: list[tuple[str, int]], close: bool) -> None:
    upward = Upward()
    worker = SwarmWorker(upward)
    first: dict[int, str] = {}
    async with calls(worker) as waiting:
        await waiting.begin("c1", "c2", "c3", "c4")
        for action, number in steps:
            first.setdefault(number, action)
            match action:
                case "right":
                    worker.deliver(reply(upward, number))
                case "wrong digest":
                    worker.deliver(response_message(f"q{number}", "no", YES))
                case "deny":
                    worker.deliver(reply(upward, number, Decision(Behavior.DENY, Reason.INTERACTIVE_DENY)))
                case _:
                    worker.withdraw(f"c{number}", "stopped")
        if close:
            worker.closed("end of file")
        await waiting.until(lambda: worker.waiting == (0 if close else 4 - len(first)))
        await waiting.until(lambda: len(waiting.ended) == (4 if close else len(first)))
        allowed = {
            number for number in range(1, 5) if (end := waiting.ended.get(f"c{number}")) and end.allowed
        }
    assert allowed == {number for number, action in first.items() if action == "right"}


class Quick(Upward):
    """A way up whose answer is there within the brief wait."""

    def __init__(self) -> None:
        super().__init__()
        self.strategy = SwarmWorker(self)

    def wait_briefly(self) -> None:
        self.strategy.deliver(reply(self, len(self.requests)))


async def test_an_answer_within_the_brief_wait_is_the_decision() -> None:
    upward = Quick()
    decision = await upward.strategy.decide(REQUEST, PREVIEW, "c1")
    assert (decision.allowed, decision.leader_reason) == (True, Reason.INTERACTIVE_ALLOW_ONCE)
    assert upward.strategy.waiting == 0
    assert upward.withdrawn == []


async def test_a_caller_that_is_cancelled_gets_no_answer_though_it_came_within_the_brief_wait() -> None:
    upward = Quick()
    with anyio.CancelScope() as scope:
        scope.cancel()
        await upward.strategy.decide(REQUEST, PREVIEW, "c1")
    assert scope.cancelled_caught
