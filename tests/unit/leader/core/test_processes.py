"""Finding and ending process trees, also those whose members hide."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from uuid import uuid4

import psutil
import pytest

from support.waiting import wait_until
from swarm.leader.core.processes import MARK, end_tree, find_tree, reap_orphans

SLEEPER = [sys.executable, "-c", "import time; time.sleep(600)"]
# A parent that ignores SIGTERM and has two children: one in its session, one that left it, whose own
# parent is gone.
FAMILY = """
import os, signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
if os.fork() == 0:
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
    os._exit(0)
os.wait()
print("ready", flush=True)
time.sleep(600)
"""


@pytest.fixture
def mark() -> str:
    return f"test/{uuid4()}"


@pytest.fixture
def family(mark: str) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-c", FAMILY],
        env={**os.environ, MARK: mark},
        start_new_session=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    yield process
    for left in find_tree(process.pid, mark):
        left.kill()
    process.wait()
    process.stdout.close()


def test_a_tree_holds_also_what_left_its_parent_and_its_session(
    family: subprocess.Popen[str], mark: str
) -> None:
    found = find_tree(family.pid, mark)
    assert len(found) == 3
    assert len({os.getsid(process.pid) for process in found}) == 2


async def test_a_tree_is_ended_whole_though_it_ignores_sigterm(
    family: subprocess.Popen[str], mark: str
) -> None:
    assert await end_tree(family.pid, mark, grace=0.1) == 3
    assert find_tree(family.pid, mark) == []


async def test_a_tree_is_ended_whole_after_its_root_was_killed(
    family: subprocess.Popen[str], mark: str
) -> None:
    family.kill()
    wait_until(lambda: psutil.Process(family.pid).status() == psutil.STATUS_ZOMBIE)
    assert len(find_tree(family.pid, mark)) == 2
    await end_tree(family.pid, mark, grace=0.1)
    assert find_tree(family.pid, mark) == []


async def test_a_stopped_process_gets_its_sigterm_too(mark: str) -> None:
    process = subprocess.Popen(SLEEPER, env={**os.environ, MARK: mark}, start_new_session=True)
    process.send_signal(signal.SIGSTOP)
    await end_tree(process.pid, mark, grace=5.0)
    assert process.wait() == -signal.SIGTERM


async def test_processes_of_another_tree_are_left_alone(mark: str) -> None:
    other = subprocess.Popen(SLEEPER, env={**os.environ, MARK: mark + "/other"}, start_new_session=True)
    try:
        assert await end_tree(2**22 + 1, mark, grace=0.1) == 0
        assert other.poll() is None
    finally:
        other.kill()
        other.wait()


def test_reaping_leaves_alone_those_that_others_wait_for() -> None:
    waited_for = subprocess.Popen([sys.executable, "-c", "raise SystemExit(7)"])
    wait_until(lambda: psutil.Process(waited_for.pid).status() == psutil.STATUS_ZOMBIE)
    reap_orphans(known=[waited_for.pid])
    assert waited_for.wait() == 7
