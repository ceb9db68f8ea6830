"""Starts worker processes and tells when they exit. The one place that knows how they are started."""

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Protocol

import anyio
import anyio.to_thread
import psutil

from swarm.leader.core.processes import MARK

WORKER_COMMAND = (sys.executable, "-E", "-P", "-m", "swarm.worker")
"""-E and -P: neither PYTHONPATH nor the folder it starts in can shadow a module of ours."""


@dataclass(frozen=True, slots=True)
class LaunchOrder:
    """What a launcher has to know. `mark` names the process tree, `cwd` is the worker's folder."""

    mark: str
    cwd: Path
    env: Mapping[str, str]


UNKNOWN_STATUS = 1 << 16
"""The status of a process that another leader had started: the system does not tell it to us."""


class WorkerProcess(Protocol):
    """A process that was launched, with our ends of its pipes. Who takes an end has to close it.

    One that another leader had started has no pipes of ours: then all three are -1.
    """

    pid: int
    stdin: int
    stdout: int
    stderr: int

    async def exited(self) -> int:
        """Wait until the process has exited and give its status: negative for a signal.

        It stays a zombie until `reap`, so that its pid names nothing else meanwhile.
        """

    def reap(self) -> None:
        """Let the system forget a process that has exited or is about to. Blocks until it has."""


class Launcher(Protocol):
    """A way to start workers."""

    def launch(self, order: LaunchOrder) -> WorkerProcess:
        """Start one. Raises OSError if the system does not permit it."""


class SubprocessLauncher:
    """Starts each worker as a fresh interpreter in a session of its own."""

    def __init__(self, command: Sequence[str] = WORKER_COMMAND) -> None:
        self._command = tuple(command)

    def launch(self, order: LaunchOrder) -> "LaunchedProcess":
        """Start one worker."""
        process = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=order.cwd,
            env={**order.env, MARK: order.mark},
            start_new_session=True,
            bufsize=0,
        )
        return LaunchedProcess(process)


class LaunchedProcess:
    """A worker started with subprocess."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.pid = process.pid
        self.stdin, self.stdout, self.stderr = map(_take, (process.stdin, process.stdout, process.stderr))
        self._process = process

    async def exited(self) -> int:
        """Wait for the exit by a process descriptor where the system has them, else by looking."""
        if hasattr(os, "pidfd_open"):
            descriptor = os.pidfd_open(self.pid)
            try:
                await readable(descriptor)
            finally:
                os.close(descriptor)
        else:
            await anyio.to_thread.run_sync(await_death, self.pid, abandon_on_cancel=True)
        return _peek_status(self.pid)

    def reap(self) -> None:
        """Let the system forget it."""
        self._process.wait()


def _peek_status(pid: int) -> int:
    """Give the exit status of a zombie and leave it one."""
    found = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    assert found is not None  # it waits
    return found.si_status if found.si_code == os.CLD_EXITED else -found.si_status


def _take(pipe: IO[bytes] | None) -> int:
    """Take a pipe's descriptor out of its file object, which then owns nothing any more."""
    assert pipe is not None
    descriptor = os.dup(pipe.fileno())
    pipe.close()
    return descriptor


def await_death(pid: int) -> None:
    """Block until a process is dead or gone."""
    while not _is_dead(pid):
        time.sleep(0.05)


def _is_dead(pid: int) -> bool:
    try:
        return bool(psutil.Process(pid).status() == psutil.STATUS_ZOMBIE)
    except psutil.Error:
        return True


async def readable(descriptor: int) -> None:
    """Wait until a descriptor is readable. Ours alone, so nobody else registers it with the loop."""
    loop = asyncio.get_running_loop()
    ready = anyio.Event()
    loop.add_reader(descriptor, ready.set)
    try:
        await ready.wait()
    finally:
        loop.remove_reader(descriptor)


def describe_exit(status: int) -> str:
    """Say in words how a process ended, from its status as `exited` gives it."""
    if status == UNKNOWN_STATUS:
        return "it exited; another leader had started it, so how it did is not known"
    if status >= 0:
        return f"it exited with code {status}"
    with contextlib.suppress(ValueError):
        return f"it was killed by {signal.Signals(-status).name}"
    return f"it was killed by signal {-status}"
