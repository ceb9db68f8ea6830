"""Puts aside what is no letter, within bounds, and counts it for whoever shows it. Never raises."""

import logging
import os
import stat
from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec

from swarm.ipc.channel import Unreadable
from swarm.ipc.escape import EXCERPT, excerpt

if TYPE_CHECKING:
    from pathlib import Path

KEPT_FILES = 64
KEPT_BYTES = 64 * 1024 * 1024
"""How much of what was refused is kept at most."""
_KINDS = 16
"""The most reports that wait; what comes on top is counted with the last."""
_logger = logging.getLogger(__name__)


class Refusals:
    """What was refused lately. `folder` is where it is put aside, for a person to look at."""

    def __init__(self, folder: "Path") -> None:
        self._folder = folder
        self._reports: dict[str, Unreadable] = {}
        self._count = 0

    def add(self, path: "Path", problem: str, data: bytes) -> None:
        """Report the file at `path`, of which `data` was read, and move it away."""
        shown = excerpt(os.fsencode(path.name)[:120] + b": " + data[:EXCERPT])
        size = _size(path)
        self._report(Unreadable(problem=problem, excerpt=shown, size=size))
        self._count += 1
        place = self._folder / f"{self._count:06d}-{path.name}"[:200]
        try:
            os.rename(path, place)
        except OSError as error:
            _logger.warning("%s can't be put aside: %s", ascii(path.name), error.strerror)
        self._bound()

    def take(self) -> list[Unreadable]:
        """Give the reports since the last look; those of one problem are counted together."""
        reports, self._reports = self._reports, {}
        return list(reports.values())

    def _report(self, report: Unreadable) -> None:
        problem = report.problem
        if problem not in self._reports and len(self._reports) >= _KINDS:
            problem = next(reversed(self._reports))
        first = self._reports.get(problem)
        if first is not None:
            count, size = first.count + report.count, first.size + report.size
            report = msgspec.structs.replace(first, count=count, size=size)
        self._reports[problem] = report

    def _bound(self) -> None:
        with suppress(OSError):
            with os.scandir(self._folder) as entries:
                found = [(entry.stat(follow_symlinks=False), entry.path) for entry in entries]
            found.sort(key=lambda pair: (pair[0].st_ctime_ns, pair[1]), reverse=True)
            size = 0
            for place, (status, path) in enumerate(found):
                size += status.st_size
                if place >= KEPT_FILES or size > KEPT_BYTES:
                    _remove(path, status)


def _size(path: "Path") -> int:
    try:
        return path.lstat().st_size
    except OSError:
        return 0


def _remove(path: str, status: os.stat_result) -> None:
    if stat.S_ISDIR(status.st_mode):
        from shutil import rmtree

        rmtree(path, ignore_errors=True)
    else:
        with suppress(OSError):
            os.unlink(path)
