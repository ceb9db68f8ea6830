"""Ends what has left every tree of a team, and collects the dead that nobody waits for.

As a subreaper the leader becomes the parent of what daemonised and cleared its environment. Whatever is
judged was seen in the look before too, so that what is just being started or waited for is left alone.
"""

import contextlib
import os
import signal
from collections.abc import Callable, Collection, Mapping

import anyio
import anyio.to_thread
import psutil

from swarm.leader.core.processes import MARK, signal_all

PAUSE = 30.0  # seconds between two looks
_CLASSIFIER = "/classifier/"


class Strays:
    """Remembers from one look to the next."""

    def __init__(self) -> None:
        self._seen: set[psutil.Process] = set()

    def look(self, roots: Mapping[int, str]) -> list[psutil.Process]:
        """Collect the dead and give the strays that live; `roots` gives the marks of living trees."""
        children = {child for child in psutil.Process().children() if child.pid not in roots}
        known = children & self._seen
        self._seen = children
        for child in known:
            _collect(child)
        marks = set(roots.values())
        return [child for child in known if _is_stray(child, marks)]


def _collect(process: psutil.Process) -> None:
    with contextlib.suppress(psutil.Error, ChildProcessError):
        if process.status() == psutil.STATUS_ZOMBIE:
            os.waitpid(process.pid, os.WNOHANG)


def _is_stray(process: psutil.Process, marks: Collection[str]) -> bool:
    """Say so of what lives outside of our session, with the mark of no living tree."""
    try:
        if process.status() == psutil.STATUS_ZOMBIE or os.getsid(process.pid) == os.getsid(0):
            return False
        mark = process.environ().get(MARK, "")
    except (psutil.Error, OSError):
        return False  # it is gone, or another user's
    return mark not in marks and _CLASSIFIER not in mark


def end_strays(strays: Collection[psutil.Process]) -> list[str]:
    """Kill strays with all below them, and give their names."""
    names = []
    for stray in strays:
        try:
            names.append(f"{stray.name()} ({stray.pid})")
            below = stray.children(recursive=True)
        except psutil.Error:
            continue
        signal_all((stray, *below), signal.SIGSTOP)  # so that none can start another meanwhile
        signal_all((stray, *below), signal.SIGKILL)
    return names


async def watch_strays(
    roots_of: Callable[[], Mapping[int, str]], ended: Callable[[list[str]], None], pause: float = PAUSE
) -> None:
    """Look again and again; `ended` is told the names of those that were ended."""
    strays = Strays()
    while True:
        await anyio.sleep(pause)
        found = await anyio.to_thread.run_sync(strays.look, roots_of())
        names = end_strays(found)
        if names:
            ended(names)
