"""How a terminal that is gone is told from one that is there."""

import os
import pty
import signal

import anyio
import pytest

from swarm.leader.core.fake_client import FakeClient
from swarm.leader.headless import signals
from swarm.leader.headless.hangup import Hangup
from swarm.leader.headless.signals import Stopper


def test_a_terminal_that_is_there_is_not_gone() -> None:
    ours, theirs = pty.openpty()
    assert not Hangup((theirs,)).has_come
    os.close(ours)
    os.close(theirs)


def test_a_terminal_whose_other_end_was_closed_is_gone_until_it_is_let_go() -> None:
    ours, theirs = pty.openpty()
    hangup = Hangup((theirs,))
    os.close(ours)
    seen = [hangup.has_come]
    hangup.let_go()
    assert [*seen, hangup.has_come] == [True, False]
    assert os.read(theirs, 1) == b""
    os.write(theirs, b"nobody reads this")
    os.close(theirs)


def test_what_never_was_a_terminal_does_not_go() -> None:
    reading, writing = os.pipe()
    hangup = Hangup((reading, writing))
    os.close(writing)
    assert not hangup.has_come
    os.close(reading)


async def test_a_run_is_not_stopped_however_often_its_terminal_is_said_to_be_gone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ours, theirs = pty.openpty()
    monkeypatch.setattr(signals, "Hangup", lambda: Hangup((theirs,)))
    client = FakeClient()
    stopper = Stopper(client, lambda _: None, outlives_terminal=True)
    async with anyio.create_task_group() as group:
        await group.start(stopper.watch)
        os.close(ours)
        with anyio.fail_after(10):
            os.kill(os.getpid(), signal.SIGHUP)
            await stopper.hung_up.wait()
            os.kill(os.getpid(), signal.SIGHUP)
            os.kill(os.getpid(), signal.SIGTERM)
            await stopper.asked.wait()
        group.cancel_scope.cancel()
    os.close(theirs)
    assert client.stops == [None]


async def test_a_run_that_waits_for_nobody_ends_once_in_good_order_however_often_its_terminal_is_gone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ours, theirs = pty.openpty()
    monkeypatch.setattr(signals, "Hangup", lambda: Hangup((theirs,)))
    client = FakeClient()
    stopper = Stopper(client, lambda _: None)
    async with anyio.create_task_group() as group:
        await group.start(stopper.watch)
        os.close(ours)
        with anyio.fail_after(10):
            os.kill(os.getpid(), signal.SIGHUP)
            await stopper.asked.wait()
            os.kill(os.getpid(), signal.SIGHUP)
            await stopper.hung_up.wait()
        group.cancel_scope.cancel()
    os.close(theirs)
    assert (client.stops, client.stopped_now) == ([None], 0)
    assert client.stop_reasons == ["its terminal was closed, and nobody was to be waited for"]


@pytest.mark.parametrize(
    ("number", "why"),
    [(signal.SIGINT, "a person stopped it"), (signal.SIGTERM, "SIGTERM stopped it")],
)
async def test_the_signal_is_kept_as_the_reason_of_the_end(number: signal.Signals, why: str) -> None:
    client = FakeClient()
    stopper = Stopper(client, lambda _: None)
    async with anyio.create_task_group() as group:
        await group.start(stopper.watch)
        with anyio.fail_after(10):
            os.kill(os.getpid(), number)
            await stopper.asked.wait()
        await anyio.wait_all_tasks_blocked()
        group.cancel_scope.cancel()
    assert client.stop_reasons == [why]
