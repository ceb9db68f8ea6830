"""Starting workers and telling how they ended."""

import os
import signal
import sys
from pathlib import Path

import psutil
import pytest

from swarm.leader.core.launcher import LaunchOrder, SubprocessLauncher, WorkerProcess, describe_exit
from swarm.leader.core.processes import MARK


def launch(code: str, cwd: Path) -> WorkerProcess:
    launcher = SubprocessLauncher([sys.executable, "-c", code])
    return launcher.launch(LaunchOrder("session/worker/1", cwd, dict(os.environ)))


def close(process: WorkerProcess) -> None:
    for descriptor in (process.stdin, process.stdout, process.stderr):
        os.close(descriptor)


async def test_a_process_leads_a_session_of_its_own_and_carries_its_mark(tmp_path: Path) -> None:
    code = f"import os; print(os.getsid(0) == os.getpid(), os.environ[{MARK!r}], os.getcwd())"
    process = launch(code, tmp_path)
    assert await process.exited() == 0
    assert os.read(process.stdout, 999).decode() == f"True session/worker/1 {tmp_path}\n"
    process.reap()
    close(process)


@pytest.mark.parametrize(
    ("code", "status", "words"),
    [
        ("raise SystemExit(3)", 3, "it exited with code 3"),
        ("import os; os.kill(os.getpid(), 9)", -signal.SIGKILL, "it was killed by SIGKILL"),
    ],
)
async def test_its_end_is_told_before_it_is_reaped(
    tmp_path: Path, code: str, status: int, words: str
) -> None:
    process = launch(code, tmp_path)
    assert await process.exited() == status
    assert describe_exit(status) == words
    assert psutil.Process(process.pid).status() == psutil.STATUS_ZOMBIE
    process.reap()
    assert not psutil.pid_exists(process.pid)
    close(process)


def test_a_command_that_does_not_exist_is_an_error_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file"):
        SubprocessLauncher(["/no/such/program"]).launch(LaunchOrder("m", tmp_path, {}))
