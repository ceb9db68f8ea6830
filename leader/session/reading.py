"""Reads a journal back, line by line, and checks its chain. Never changes the file."""

import os
from collections.abc import Iterator
from pathlib import Path

from swarm.leader.errors import JournalBroken, JournalError
from swarm.leader.session.chain import GENESIS, LINE_CAP, Record, decode, unseal
from swarm.leader.session.entries import FORMAT, SessionStarted
from swarm.leader.session.errors import NewerJournal
from swarm.leader.session.places import open_regular


class JournalReading(Iterator[Record]):
    """The records of a journal in order; holds one line in memory at a time.

    `torn` is how many bytes of an unfinished last line stand after the last record given; such a tail
    ends the reading and is no fault. With `follow`, the file stays open at the end and the reading can
    be gone on with when more was written. Raises JournalBroken, after all records before the fault, and
    NewerJournal.
    """

    def __init__(self, path: Path, *, follow: bool = False) -> None:
        self.path = path
        self.records = 0
        self.offset = 0
        self.torn = 0
        self.last_hash = GENESIS
        self._follow = follow
        try:
            self._file = open_regular(path)
        except OSError as error:
            raise JournalError(str(path), f"it cannot be read ({error.strerror})") from error

    def __next__(self) -> Record:
        if self._file.closed:
            raise StopIteration
        line = self._read_line()
        try:
            record = unseal(line, self.records + 1, self.last_hash)
        except ValueError as error:
            raise self._broken(str(error)) from None
        if isinstance(record.entry, SessionStarted) and record.entry.format > FORMAT:
            self.close()
            raise NewerJournal(str(self.path), record.entry.format, FORMAT)
        self.records = record.n
        self.offset += len(line)
        self.last_hash = record.hash
        return record

    def _read_line(self) -> bytes:
        try:
            line = self._file.readline(LINE_CAP + 1)
        except OSError as error:
            self.close()
            raise JournalError(str(self.path), f"it cannot be read ({error.strerror})") from error
        if line.endswith(b"\n"):
            self.torn = 0
            return line
        if len(line) > LINE_CAP:
            raise self._broken("it is longer than a line may be")
        self._stop_before(line)
        raise StopIteration

    def _stop_before(self, tail: bytes) -> None:
        self.torn = len(tail)
        if self._follow:
            self._file.seek(self.offset)
        else:
            self.close()

    def _broken(self, problem: str) -> JournalBroken:
        self.close()
        return JournalBroken(str(self.path), self.records + 1, self.offset, problem)

    def close(self) -> None:
        """Close the file. Idempotent; also done at the end and at a fault."""
        self._file.close()

    def __enter__(self) -> "JournalReading":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def read_journal(path: Path, *, follow: bool = False) -> JournalReading:
    """Read the journal at `path`. Raises JournalError if it cannot be opened."""
    return JournalReading(path, follow=follow)


def read_last(path: Path) -> Record | None:
    """Give the last whole record without checking the chain before it; None if it cannot be read.

    Reads at most the last 64 KiB, so that many journals can be looked at quickly.
    """
    try:
        with open_regular(path) as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - 64 * 1024))
            lines = file.read().split(b"\n")
        return decode(lines[-2]) if len(lines) > 1 else None
    except (OSError, ValueError):
        return None
