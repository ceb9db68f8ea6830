"""What has left every tree is ended; what is waited for or belongs to a tree is left alone."""

import os
import subprocess
import sys
from collections.abc import Iterator

import psutil
import pytest

from support.waiting import wait_until
from swarm.leader.core.processes import MARK
from swarm.leader.core.strays import Strays, end_strays

MINE = "session/worker/1"


@pytest.fixture
def daemon() -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(["sleep", "600"], env={"PATH": os.environ["PATH"]}, start_new_session=True)
    yield process
    process.kill()
    process.wait()


def test_a_daemon_that_cleared_its_environment_is_ended_at_the_second_look(
    daemon: subprocess.Popen[bytes],
) -> None:
    strays = Strays()
    assert strays.look({}) == []
    found = strays.look({})
    assert [process.pid for process in found] == [daemon.pid]
    assert end_strays(found) == [f"sleep ({daemon.pid})"]
    wait_until(lambda: psutil.Process(daemon.pid).status() == psutil.STATUS_ZOMBIE)


@pytest.mark.parametrize("mark", [MINE, "session/classifier/3"])
def test_what_carries_the_mark_of_a_living_tree_is_left_alone(mark: str) -> None:
    process = subprocess.Popen(["sleep", "600"], env={**os.environ, MARK: mark}, start_new_session=True)
    try:
        strays = Strays()
        assert strays.look({1: MINE}) == strays.look({1: MINE}) == []
    finally:
        process.kill()
        process.wait()


def test_the_dead_are_collected_only_when_nobody_has_for_a_whole_round() -> None:
    process = subprocess.Popen([sys.executable, "-c", "pass"])
    wait_until(lambda: psutil.Process(process.pid).status() == psutil.STATUS_ZOMBIE)
    strays = Strays()
    strays.look({})
    assert psutil.pid_exists(process.pid)
    strays.look({})
    assert not psutil.pid_exists(process.pid)
    process.wait()
