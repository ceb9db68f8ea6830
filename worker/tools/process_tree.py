"""Finds and ends every process that one call started, also those that left its group or session.

A process belongs to the call if it is in its group, below one that belongs, or carries the call's mark
in its environment, which finds a daemon whose parents are gone. It never touches any other process.
"""

import os
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import anyio
import anyio.to_thread

MARK = "SWARM_CALL"
"""The environment variable that holds the mark of a call."""

GRACE = 2.0
_ROUND = 0.05
_KILL_ROUNDS = 100


@dataclass(frozen=True, slots=True)
class CallTree:
    """The processes of one call. `root` is its shell and leads the group; it must not be reaped yet."""

    root: int
    mark: str

    async def end(self) -> bool:
        """End all that runs: SIGTERM, 2 s, SIGKILL. Tells whether anything ran. Not to be cancelled."""
        if not await self._signal(signal.SIGTERM):
            return False
        with anyio.move_on_after(GRACE):
            await self._ended()
            return True
        for _ in range(_KILL_ROUNDS):  # what cannot be killed (a hung mount) must not hold the worker
            if not await self._signal(signal.SIGKILL):
                break
            await anyio.sleep(_ROUND)
        return True

    async def _ended(self) -> None:
        """Wait until nothing of it runs."""
        while True:
            if not await anyio.to_thread.run_sync(self.living):
                return
            await anyio.sleep(_ROUND)

    async def _signal(self, number: signal.Signals) -> bool:
        """Send a signal to all that runs, and tell whether anything did."""
        import psutil

        found = await anyio.to_thread.run_sync(self.living)
        for pid in found:
            try:
                psutil.Process(pid).send_signal(number)
            except (psutil.NoSuchProcess, psutil.AccessDenied):
                continue
        return bool(found)

    def living(self) -> frozenset[int]:
        """Give the ids of the call's processes that still run; zombies do not."""
        import psutil  # loaded only when a command has run: it costs memory in each worker

        found: set[int] = set()
        for pid in psutil.pids():
            if pid != os.getpid() and (self._is_in_group(pid) or self._is_marked(pid)):
                found.update((pid, *_below(pid)))
        found.update((self.root, *_below(self.root)))
        return frozenset(pid for pid in found if _runs(pid))

    def _is_in_group(self, pid: int) -> bool:
        try:
            return os.getpgid(pid) == self.root
        except OSError:
            return False

    def _is_marked(self, pid: int) -> bool:
        import psutil

        try:
            if psutil.LINUX:  # a tenth of the time of psutil's own way, for each process there is
                return f"{MARK}={self.mark}\0".encode() in Path(f"/proc/{pid}/environ").read_bytes()
            return psutil.Process(pid).environ().get(MARK) == self.mark
        except (psutil.Error, OSError):
            return False


def _below(pid: int) -> Iterator[int]:
    import psutil

    try:
        yield from (child.pid for child in psutil.Process(pid).children(recursive=True))
    except psutil.Error:
        return


def _runs(pid: int) -> bool:
    import psutil

    try:
        return psutil.Process(pid).status() not in (psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD)
    except psutil.Error:
        return False
