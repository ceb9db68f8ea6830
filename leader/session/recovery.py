"""Opens a journal that a dead leader left: its good beginning is kept, what follows is put aside.

Never drops a byte: what cannot be used is kept beside the journal in a file of its own.
"""

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from swarm.leader.errors import JournalBroken, JournalError
from swarm.leader.session.chain import Record
from swarm.leader.session.errors import NothingKept
from swarm.leader.session.journal import Journal, JournalEnd
from swarm.leader.session.places import sync_folder
from swarm.leader.session.reading import read_journal


@dataclass(frozen=True, slots=True)
class Recovered:
    """A journal to go on with. `aside` is where its unusable end was put, and `why`, if it had one."""

    journal: Journal
    aside: Path | None = None
    why: str = ""

    @property
    def notice(self) -> str:
        """What the person has to know; empty if the journal was whole."""
        if self.aside is None:
            return ""
        return f"The journal's end could not be used ({self.why}); it was kept as {self.aside.name}."


def recover_journal(path: Path, take: Callable[[Record], None], clock: Callable[[], float]) -> Recovered:
    """Open the journal at `path` to be gone on with, after `take` was given each good record of it.

    Raises NothingKept, or JournalError where it cannot be read or written; then nothing has changed.
    """
    end, size, why = _good_end(path, take)
    if not end.count:
        raise NothingKept(str(path), why or "it has no whole entry")
    try:
        aside = _put_aside(path, end.size) if size > end.size else None
        return Recovered(Journal(path, clock=clock, end=end), aside, why if aside else "")
    except OSError as error:
        raise JournalError(str(path), f"it cannot be mended ({error.strerror})") from error


def _good_end(path: Path, take: Callable[[Record], None]) -> tuple[JournalEnd, int, str]:
    """Give where the good records end, the file's size, and why it is not their end."""
    why = ""
    with read_journal(path) as reading:
        try:
            for record in reading:
                take(record)
        except JournalBroken as error:
            why = f"entry {error.line}: {error.problem}"
        end = JournalEnd(reading.records, reading.last_hash, reading.offset)
    size = path.stat().st_size
    if size > end.size and not why:
        why = "the last entry is unfinished"
    return end, size, why


def _put_aside(path: Path, offset: int) -> Path:
    """Move what stands after `offset` into a file beside, and only then cut it off."""
    aside = _free_name(path)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    with path.open("rb") as source, os.fdopen(os.open(aside, flags, 0o600), "wb") as target:
        source.seek(offset)
        shutil.copyfileobj(source, target)
        target.flush()
        os.fsync(target.fileno())
    sync_folder(path.parent)
    with path.open("r+b") as journal:
        journal.truncate(offset)
        os.fsync(journal.fileno())
    return aside


def _free_name(path: Path) -> Path:
    number = 1
    while (aside := path.with_name(f"{path.stem}.unusable-{number}{path.suffix}")).exists():
        number += 1
    return aside
