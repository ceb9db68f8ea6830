"""Finds and ends whole process trees, also what left its parent, its group or its session.

A tree is known by its root, by the session the root leads, and by a mark in the environment that every
descendant inherits. Decides nothing about when a tree has to end.
"""

import contextlib
import ctypes
import os
import signal
import sys
import time
from collections.abc import Iterable, Iterator
from functools import partial

import anyio
import anyio.to_thread
import psutil

MARK = "SWARM_TREE"
"""The variable whose value names the tree: `session/worker/attempt`."""

TERM_GRACE = 2.0  # seconds between SIGTERM and SIGKILL
_PR_SET_CHILD_SUBREAPER = 36  # <linux/prctl.h>


@contextlib.contextmanager
def adopting_orphans() -> Iterator[None]:
    """Make orphans of our workers our own children meanwhile, so that they can be found and reaped.

    Linux only. Elsewhere the mark in the environment has to do.
    """
    _set_subreaper(True)
    try:
        yield
    finally:
        _set_subreaper(False)


def _set_subreaper(wanted: bool) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, int(wanted), 0, 0, 0)


def find_tree(root: int, mark: str) -> list[psutil.Process]:
    """Give every living process of a tree, the root first if it lives. Walks all processes: not cheap."""
    found: dict[int, psutil.Process] = {}
    with contextlib.suppress(psutil.Error):
        top = psutil.Process(root)
        found = {process.pid: process for process in (top, *top.children(recursive=True))}
    for process in psutil.process_iter():
        if process.pid not in found and _belongs(process, root, mark):
            found[process.pid] = process
    return [process for process in found.values() if process.pid != os.getpid() and _lives(process)]


def _belongs(process: psutil.Process, root: int, mark: str) -> bool:
    try:
        return os.getsid(process.pid) == root or process.environ().get(MARK) == mark
    except (psutil.Error, OSError):
        return False  # it is gone, or another user's


def _lives(process: psutil.Process) -> bool:
    try:
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    except psutil.Error:
        return False


def signal_all(processes: Iterable[psutil.Process], number: signal.Signals) -> None:
    """Send a signal to each; psutil checks that the pid still is the process that was found."""
    for process in processes:
        with contextlib.suppress(psutil.Error):
            process.send_signal(number)


async def end_tree(root: int, mark: str, grace: float = TERM_GRACE) -> int:
    """End a whole tree: SIGTERM, `grace` seconds, SIGKILL until nothing is left. Give how many there were.

    Runs to its end even if the caller is cancelled; takes at most `grace` plus a few seconds.
    """
    count = [0]  # filled in the scope, of which mypy holds that it may swallow what is raised in it
    with anyio.CancelScope(shield=True):
        count[0] = await anyio.to_thread.run_sync(partial(_end_tree, root, mark, grace))
    return count[0]


def _end_tree(root: int, mark: str, grace: float) -> int:
    processes = find_tree(root, mark)
    seen = {process.pid for process in processes}
    if processes and grace > 0:
        signal_all(processes, signal.SIGTERM)
        signal_all(processes, signal.SIGCONT)  # a stopped process cannot act on SIGTERM
        _await_ends(processes, grace)
    for _ in range(10):
        processes = find_tree(root, mark)
        seen.update(process.pid for process in processes)
        if not processes:
            break
        signal_all(processes, signal.SIGSTOP)  # so that none can start another meanwhile
        signal_all(processes, signal.SIGKILL)
        _await_ends(processes, 0.5)
    _reap(seen - {root})
    return len(seen)


def _reap(pids: Iterable[int]) -> None:
    """Collect those of a tree that have become our children; its root is the launcher's to collect."""
    for pid in pids:
        with contextlib.suppress(ChildProcessError):
            os.waitpid(pid, os.WNOHANG)


def _await_ends(processes: Iterable[psutil.Process], limit: float) -> None:
    """Wait until none lives or `limit` seconds have passed. Reaps nothing."""
    end = time.monotonic() + limit
    while any(map(_lives, processes)) and time.monotonic() < end:
        time.sleep(0.01)


def reap_orphans(known: Iterable[int]) -> None:
    """Collect dead children that were adopted, leaving alone those in `known`, which others wait for."""
    waited_for = set(known)
    for process in psutil.Process().children():
        with contextlib.suppress(psutil.Error, ChildProcessError):
            if process.status() == psutil.STATUS_ZOMBIE and process.pid not in waited_for:
                os.waitpid(process.pid, os.WNOHANG)


def end_adopted(known: Iterable[int]) -> None:
    """Kill what a team left behind that no tree holds any more: it cleared its environment and daemonised.

    As a subreaper we are its parent then. What we started ourselves is in `known` or in our session,
    which nothing of a worker's can be in. For the end of a run, when nothing else may be left.
    """
    spared, ours = set(known), os.getsid(0)
    for _ in range(10):
        found = [child for child in psutil.Process().children() if child.pid not in spared]
        adopted = [child for child in found if _lives(child) and _session_of(child) != ours]
        if not adopted:
            return
        for child in adopted:
            with contextlib.suppress(psutil.Error):
                signal_all((child, *child.children(recursive=True)), signal.SIGKILL)
        _await_ends(adopted, 0.5)
        _reap(child.pid for child in adopted)


def _session_of(process: psutil.Process) -> int:
    try:
        return os.getsid(process.pid)
    except OSError:
        return os.getsid(0)  # it is gone
