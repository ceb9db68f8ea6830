"""Reads what the machine has free, and how much memory process trees take. Decides nothing."""

import contextlib
import os
from collections.abc import Mapping

import psutil

from swarm.leader.core.admission import Readings
from swarm.leader.core.processes import MARK


def read_machine() -> Readings:
    """Give the present readings. Takes less than a millisecond."""
    memory = psutil.virtual_memory()
    return Readings(memory.available, memory.total, os.getloadavg()[0], os.cpu_count() or 1)


class TreeMemory:
    """Measures process trees. What it found out of a process's mark it keeps while that lives."""

    def __init__(self) -> None:
        self._marks: dict[psutil.Process, str] = {}

    def measure(self, roots: Mapping[int, str]) -> dict[int, int]:
        """Give the resident bytes of each tree by its root's id; `roots` gives their marks.

        A member is found by descent, by session or by mark, and each process is looked at once.
        """
        processes = list(psutil.process_iter())
        above = {process.pid: _parent_of(process) for process in processes}
        of_mark = {mark: root for root, mark in roots.items()}
        self._marks = {process: mark for process, mark in self._marks.items() if process.pid in above}
        taken = dict.fromkeys(roots, 0)
        for process in processes:
            root = _root_of(process.pid, above, roots) or of_mark.get(self._mark_of(process), 0)
            if root:
                with contextlib.suppress(psutil.Error):
                    taken[root] += process.memory_info().rss
        return taken

    def _mark_of(self, process: psutil.Process) -> str:
        mark = self._marks.get(process)
        if mark is None:
            try:
                mark = process.environ().get(MARK, "")
            except psutil.Error:
                mark = ""
            self._marks[process] = mark
        return mark


def _parent_of(process: psutil.Process) -> int:
    try:
        return int(process.ppid())
    except psutil.Error:
        return 0


def _root_of(pid: int, above: Mapping[int, int], roots: Mapping[int, str]) -> int:
    """Give the root that a process is below of, or whose session it is in; 0 if there is none."""
    at, seen = pid, 0
    while at and seen < len(above):
        if at in roots:
            return at
        at, seen = above.get(at, 0), seen + 1
    try:
        session = os.getsid(pid)
    except OSError:
        return 0
    return session if session in roots else 0
