"""Writes a session's journal: append only, hash-chained, never a line that is only half there."""

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import anyio
import anyio.to_thread

from swarm.leader.errors import JournalError
from swarm.leader.session.chain import GENESIS, seal
from swarm.leader.session.entries import AnyEntry, Noticed
from swarm.leader.session.reading import read_journal

STREAM_DELAY = 0.016
"""How long a streamed entry may wait to be written, in seconds."""
STREAM_CAP = 64 * 1024
"""How many bytes of streamed entries may wait to be written."""


@dataclass(frozen=True, slots=True)
class JournalEnd:
    """Where a journal ends: how many entries it has, the hash of the last, and its size in bytes."""

    count: int = 0
    hash: str = GENESIS
    size: int = 0


CallLater = Callable[[float, Callable[[], None]], object]


@dataclass(frozen=True, slots=True)
class Disk:
    """The calls that touch the disk; a test gives others that fail."""

    write: Callable[[int, bytes], int] = os.write
    truncate: Callable[[int, int], None] = os.ftruncate
    sync: Callable[[int], None] = os.fsync


def call_later_in_loop(delay: float, callback: Callable[[], None]) -> object:
    """Call back from the running event loop, or at once if none runs."""
    import asyncio

    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        callback()
        return None
    return loop.call_later(delay, callback)


class Journal:
    """The open journal of the one leader of a session; with `end`, of one that has that much already.

    `append` has handed its line to the system when it returns, so that a killed process loses nothing;
    `commit` has it on the disk. After any error the journal takes nothing more until `retry` works.
    Each of `listeners` is called after lines were written; it must be quick and must not raise.
    """

    def __init__(
        self,
        path: Path,
        *,
        clock: Callable[[], float] = time.time,
        call_later: CallLater = call_later_in_loop,
        disk: Disk | None = None,
        end: JournalEnd | None = None,
    ) -> None:
        self.path = path
        self.listeners: list[Callable[[], None]] = []
        self.problem = ""
        self._clock = clock
        self._call_later = call_later
        self._disk = disk or Disk()
        start = end or JournalEnd()
        self._count, self._hash, self._size = start.count, start.hash, start.size
        self._synced = 0  # of what another leader wrote nobody knows whether it is on the disk
        self._waiting = bytearray()
        self._flush_is_due = False
        self._sync_lock = anyio.Lock()
        flags = os.O_WRONLY | os.O_APPEND | os.O_NOFOLLOW
        if end is None:
            flags |= os.O_CREAT | os.O_EXCL
        try:
            self._descriptor: int | None = os.open(path, flags, 0o600)
        except OSError as error:
            done = "created" if end is None else "written"
            raise JournalError(str(path), f"it cannot be {done} ({error.strerror})") from error

    def __repr__(self) -> str:
        return f"<Journal {self.path} entries={self._count} waiting={len(self._waiting)} {self.problem}>"

    @property
    def count(self) -> int:
        """How many entries it has, with those that wait to be written."""
        return self._count

    @property
    def last_hash(self) -> str:
        """The hash of its last entry, which stands for all of them."""
        return self._hash

    def append(self, entry: AnyEntry) -> int:
        """Write `entry` behind all before it and give its number.

        Raises JournalError; then nothing was written.
        """
        line, digest = self._seal(entry)
        self._write(bytes(self._waiting) + line if self._waiting else line)
        self._waiting.clear()
        number = self._advance(digest)
        self._tell()
        return number

    def append_stream(self, entry: AnyEntry) -> int:
        """Take `entry` to be written within 16 ms, before any later one. Raises JournalError."""
        line, digest = self._seal(entry)
        self._waiting += line
        number = self._advance(digest)
        if len(self._waiting) >= STREAM_CAP:
            self.flush()
        elif not self._flush_is_due:
            self._flush_is_due = True
            self._call_later(STREAM_DELAY, self._flush_when_due)
        return number

    def flush(self) -> None:
        """Write what waits. Raises JournalError; then it goes on waiting."""
        if self._waiting:
            self._check()
            self._write(bytes(self._waiting))
            self._waiting.clear()
            self._tell()

    async def commit(self) -> None:
        """Return when all that was appended so far is on the disk. Raises JournalError.

        Whoever comes while one sync runs is served by the next, all of them by the same.
        """
        self.flush()
        wanted = self._size
        async with self._sync_lock:
            if self._synced >= wanted:
                return
            descriptor, size = self._check(), self._size
            try:
                await anyio.to_thread.run_sync(self._disk.sync, descriptor)
            except OSError as error:
                raise self._failed(error) from error
            self._synced = size

    def retry(self) -> None:
        """Mend the file and go on, with a notice of what was wrong.

        Raises JournalError; then nothing has changed.
        """
        problem = self.problem
        if not problem:
            return
        try:
            self._mend()
        except OSError as error:
            raise self._failed(error) from error
        self.problem = ""
        self.append(Noticed(level="warning", text=f"The journal can be written again. Before: {problem}."))

    def close(self) -> None:
        """Write and sync what waits, then close. Idempotent. Raises JournalError, but closes even so."""
        if self._descriptor is None:
            return
        try:
            if not self.problem:
                self.flush()
                self._disk.sync(self._descriptor)
        except OSError as error:
            raise self._failed(error) from error
        finally:
            os.close(self._descriptor)
            self._descriptor = None

    def _seal(self, entry: AnyEntry) -> tuple[bytes, str]:
        self._check()
        try:
            return seal(entry, self._count + 1, self._clock(), self._hash)
        except ValueError as error:
            raise JournalError(str(self.path), f"an entry was refused: {error}") from error

    def _tell(self) -> None:
        for listener in self.listeners:
            listener()

    def _advance(self, digest: str) -> int:
        self._count += 1
        self._hash = digest
        return self._count

    def _write(self, data: bytes) -> None:
        descriptor = self._check()
        try:
            written = self._disk.write(descriptor, data)
        except OSError as error:
            raise self._failed(error) from error
        if written != len(data):
            raise self._failed(None)
        self._size += written

    def _flush_when_due(self) -> None:
        self._flush_is_due = False
        if self._descriptor is not None and not self.problem:
            # A failure stands in `problem` and meets the next who appends.
            try:
                self.flush()
            except JournalError:
                return

    def _check(self) -> int:
        if self._descriptor is None:
            raise JournalError(str(self.path), "it is closed")
        if self.problem:
            raise JournalError(str(self.path), self.problem)
        return self._descriptor

    def _failed(self, error: OSError | None) -> JournalError:
        """Remember the problem and cut off what was half written."""
        text = (error.strerror or str(error)) if error else "only a part was written; is the disk full?"
        self.problem = f"it cannot be written ({text})"
        if self._descriptor is not None:
            try:
                self._disk.truncate(self._descriptor, self._size)
            except OSError:  # then `retry` does it, and until then nothing is appended
                self.problem += " and its torn end could not be cut off"
        return JournalError(str(self.path), self.problem)

    def _mend(self) -> None:
        """Cut back to the last whole line, and write again what no sync has confirmed.

        After a failed sync the system may take the pages for clean, so that another sync would
        succeed without having written anything.
        """
        if self._descriptor is None:
            raise OSError(0, "it is closed")
        self._disk.truncate(self._descriptor, self._size)
        for _ in read_journal(self.path):
            pass
        with self.path.open("r+b", buffering=0) as file:
            file.seek(self._synced)
            data = file.read(self._size - self._synced)
            file.seek(self._synced)
            file.write(data)
            self._disk.sync(file.fileno())
        self._synced = self._size
