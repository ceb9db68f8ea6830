"""When a program is ended by force, and that it is even if its event loop hangs."""

import signal
import subprocess
import sys
import textwrap
import threading

import pytest

from swarm.leader.core.processes import TERM_GRACE
from swarm.leader.core.team import STOP_GRACE
from swarm.leader.headless.failsafe import (
    AGAIN_LIMIT,
    FIRST_LIMIT,
    HANG_LIMIT,
    IN_ORDER,
    Armed,
    Failsafe,
    is_due,
)


@pytest.mark.parametrize(
    ("armed", "now", "due"),
    [
        (Armed(first=10, again=None, beat=12), 12.5, False),
        (Armed(first=10, again=None, beat=12), 12.1 + HANG_LIMIT, True),
        (Armed(first=10, again=None, beat=2), 10.1, False),
        (Armed(first=10, again=None, beat=2), 10.1 + HANG_LIMIT, True),
        (Armed(first=10, again=None, beat=10 + FIRST_LIMIT), 10 + FIRST_LIMIT, False),
        (Armed(first=10, again=None, beat=10 + FIRST_LIMIT), 10.1 + FIRST_LIMIT, True),
        (Armed(first=10, again=11, beat=11 + AGAIN_LIMIT), 11 + AGAIN_LIMIT, False),
        (Armed(first=10, again=11, beat=11 + AGAIN_LIMIT), 11.1 + AGAIN_LIMIT, True),
    ],
)
def test_the_end_is_forced_when_the_loop_hangs_or_the_time_is_over(
    armed: Armed, now: float, due: bool
) -> None:
    assert is_due(armed, now) is due


def test_an_end_in_good_order_leaves_the_workers_all_the_time_that_they_are_promised() -> None:
    workers, trees, *_ = IN_ORDER
    assert workers.limit >= STOP_GRACE
    assert trees.limit > TERM_GRACE
    assert FIRST_LIMIT > AGAIN_LIMIT > HANG_LIMIT


def test_a_signal_that_ends_at_once_counts_as_the_second() -> None:
    with Failsafe((signal.SIGQUIT,), lambda: None) as failsafe:
        signal.raise_signal(signal.SIGQUIT)
        assert "again=None" not in repr(failsafe)


def test_the_handlers_of_before_are_back_afterwards() -> None:
    before = signal.getsignal(signal.SIGUSR1)
    with Failsafe((signal.SIGUSR1,), lambda: None):
        assert signal.getsignal(signal.SIGUSR1) != before
    assert signal.getsignal(signal.SIGUSR1) == before


def test_a_signal_that_means_no_end_arms_nothing() -> None:
    with Failsafe((signal.SIGUSR1,), lambda: None, lambda number: number == signal.SIGUSR1):
        signal.raise_signal(signal.SIGUSR1)
        assert not [thread for thread in threading.enumerate() if thread.name == "failsafe"]


HANGING = textwrap.dedent("""
    import os, signal, sys
    import anyio
    from swarm.leader.cli.last_resort import end_by_force
    from swarm.leader.core.fake_client import FakeClient
    from swarm.leader.headless import failsafe
    from swarm.leader.headless.signals import Stopper

    failsafe.HANG_LIMIT = 0.3

    class Hanging(FakeClient):
        async def stop(self, worker=None, why=""):
            while True:  # the fault that is to be survived
                pass

    async def main():
        stopper = Stopper(Hanging(), lambda _: None, last_resort=lambda: end_by_force("s-1"))
        async with anyio.create_task_group() as group:
            await group.start(stopper.watch)
            os.write(1, b"ready\\n")
            await anyio.sleep_forever()

    anyio.run(main)
""")


def test_a_leader_whose_loop_hangs_ends_all_the_same() -> None:
    command = [sys.executable, "-c", HANGING]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as leader:
        assert leader.stdout is not None
        assert leader.stdout.readline() == b"ready\n"
        leader.send_signal(signal.SIGTERM)
        _, told = leader.communicate(timeout=30)
    assert leader.returncode == 130
    assert b"ended by force: swarm resume s-1" in told
