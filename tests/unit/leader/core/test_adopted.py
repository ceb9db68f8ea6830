"""A process that another leader started is found only if it is the same, and seen to its end."""

import os
import subprocess
import sys
from collections.abc import Iterator

import anyio
import psutil
import pytest

from support.waiting import until
from swarm.leader.core.adopted import end_remains, find_process, is_process, wake
from swarm.leader.core.launcher import UNKNOWN_STATUS, describe_exit
from swarm.leader.core.processes import MARK

pytestmark = pytest.mark.processes


@pytest.fixture
def sleeper() -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-c", "import time; time.sleep(600)"]
    env = {**os.environ, MARK: "s/a/1"}
    with subprocess.Popen(command, start_new_session=True, env=env) as process:
        yield process
        process.kill()


def started(process: subprocess.Popen[bytes]) -> float:
    return psutil.Process(process.pid).create_time()


async def test_its_exit_is_seen_and_how_it_exited_is_said_to_be_unknown(
    sleeper: subprocess.Popen[bytes],
) -> None:
    found = find_process(sleeper.pid, started(sleeper))
    assert found is not None
    statuses = []

    async def wait() -> None:
        statuses.append(await found.exited())

    with anyio.fail_after(10):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(wait)
            sleeper.kill()
    assert statuses == [UNKNOWN_STATUS]
    assert "not known" in describe_exit(statuses[0])
    found.reap()
    found.reap()


def test_another_process_with_the_same_id_is_not_taken_for_it(sleeper: subprocess.Popen[bytes]) -> None:
    descriptors = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0
    assert find_process(sleeper.pid, started(sleeper) - 60) is None
    if descriptors:
        assert len(os.listdir("/proc/self/fd")) == descriptors


async def test_one_that_was_stopped_goes_on_and_that_is_told(sleeper: subprocess.Popen[bytes]) -> None:
    assert not await wake(sleeper.pid, "s/a/1")
    process = psutil.Process(sleeper.pid)
    process.suspend()
    await until(lambda: process.status() == psutil.STATUS_STOPPED)
    assert await wake(sleeper.pid, "s/a/1")
    await until(lambda: process.status() != psutil.STATUS_STOPPED)


def test_a_dead_one_is_not_found(sleeper: subprocess.Popen[bytes]) -> None:
    at = started(sleeper)
    sleeper.kill()
    os.waitid(os.P_PID, sleeper.pid, os.WEXITED | os.WNOWAIT)
    assert not is_process(sleeper.pid, at)
    assert find_process(sleeper.pid, at) is None
    sleeper.wait()
    assert find_process(sleeper.pid, at) is None


async def test_what_a_dead_worker_left_is_ended_by_its_mark_and_a_stranger_is_spared(
    sleeper: subprocess.Popen[bytes],
) -> None:
    command = [sys.executable, "-c", "import time; time.sleep(600)"]
    with subprocess.Popen(command, start_new_session=True) as stranger:
        try:
            await end_remains(stranger.pid, "s/a/1")
            assert not psutil.pid_exists(sleeper.pid)
            assert stranger.poll() is None
        finally:
            stranger.kill()
