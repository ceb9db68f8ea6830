"""A worker's process that another leader has started: found again, and seen to its end. Starts none."""

import contextlib
import os
import signal
from functools import partial

import anyio
import anyio.to_thread
import psutil

from swarm.leader.core.launcher import UNKNOWN_STATUS, await_death, readable
from swarm.leader.core.processes import end_tree, find_tree, signal_all

_CLOCK_SLACK = 2.0
"""By how many seconds two readings of a process's start may differ: the clock may have been set."""
_NO_PROCESS = 2**31 - 1
"""A process id that no system gives."""


class AdoptedProcess:
    """A living worker that is no child of ours, so its pipes are not ours either. See WorkerProcess."""

    stdin = stdout = stderr = -1

    def __init__(self, pid: int, descriptor: int | None) -> None:
        self.pid = pid
        self._descriptor = descriptor

    async def exited(self) -> int:
        """Wait for the exit. How it exited is not told to us."""
        if self._descriptor is not None:
            await readable(self._descriptor)
        else:
            await anyio.to_thread.run_sync(await_death, self.pid, abandon_on_cancel=True)
        return UNKNOWN_STATUS

    def reap(self) -> None:
        """Let go of it; the system forgets it without us."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def find_process(pid: int, started: float) -> AdoptedProcess | None:
    """Give the living process `pid` if it is the one that was started then, in seconds of the epoch."""
    descriptor = None
    if hasattr(os, "pidfd_open"):
        try:
            descriptor = os.pidfd_open(pid)
        except OSError:
            return None
    # Looked at only now: what the descriptor holds on to can be no other process later.
    if is_process(pid, started):
        return AdoptedProcess(pid, descriptor)
    if descriptor is not None:
        os.close(descriptor)
    return None


def is_process(pid: int, started: float) -> bool:
    """Say whether the process `pid` lives and is the one that was started then."""
    try:
        process = psutil.Process(pid)
        if process.status() == psutil.STATUS_ZOMBIE:
            return False
        return abs(float(process.create_time()) - started) <= _CLOCK_SLACK
    except psutil.Error:
        return False


async def wake(pid: int, mark: str) -> bool:
    """Let a worker go on that was stopped when its leader died, with all below it; give whether it was."""
    try:
        if psutil.Process(pid).status() != psutil.STATUS_STOPPED:
            return False
    except psutil.Error:
        return False
    tree = await anyio.to_thread.run_sync(find_tree, pid, mark)
    signal_all(tree, signal.SIGCONT)
    return True


async def end_remains(pid: int | None, mark: str) -> None:
    """End what a dead worker has left running. Another process that has its id by now is left alone."""
    root = _NO_PROCESS if pid is None or _is_taken(pid) else pid
    await end_tree(root, mark, 0.0)


def _is_taken(pid: int) -> bool:
    """Say whether a living process has this id; the worker of this id is known to be dead."""
    with contextlib.suppress(psutil.Error):
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    return False


async def end_all_remains(dead: dict[str, int | None]) -> None:
    """End what dead workers have left, at the same time; `dead` gives their process ids by their marks."""
    async with anyio.create_task_group() as tasks:
        for mark, pid in dead.items():
            tasks.start_soon(partial(end_remains, pid, mark))
