"""Reads a journal for the audit, and says what is known of it beyond its chain. Changes nothing."""

from collections.abc import Iterator
from pathlib import Path

from swarm.leader.audit.verification import Fault, Verification, verify
from swarm.leader.errors import JournalError
from swarm.leader.session.chain import LINE_CAP
from swarm.leader.session.entries import SessionStarted
from swarm.leader.session.head import read_head
from swarm.leader.session.places import open_regular
from swarm.leader.session.reading import read_journal


def verify_journal(journal: Path, expected: str = "") -> Verification:
    """Check a journal, also against the note that its leader left at its end. Raises JournalError.

    `expected` is a hash that was kept elsewhere, or the beginning of one.
    """
    head = read_head(journal.parent)
    wanted = {expected: "was expected"} if expected else {}
    if head is not None:
        wanted[head.hash] = f"its leader noted at the end for entry {head.entries}"
    found = verify(_lines(journal), wanted)
    if head is not None:
        at = found.expected_at.get(head.hash, 0)
        if at and found.last_entry > at:
            problem = f"entries {at + 1} to {found.last_entry} were put in after the leader had ended"
            found.add(Fault(0, at + 1, problem))
        if found.torn:
            found.add(Fault(0, 0, "an unfinished line was put in after the leader had ended in good order"))
    return found


def session_start(journal: Path) -> SessionStarted:
    """Give how the session began. Raises JournalError if the journal does not tell."""
    with read_journal(journal) as reading:
        first = next(reading, None)
    if first is None or not isinstance(first.entry, SessionStarted):
        raise JournalError(str(journal), "it does not begin with a session's start")
    return first.entry


def _lines(path: Path) -> Iterator[bytes]:
    try:
        with open_regular(path) as file:
            while line := file.readline(LINE_CAP + 1):
                yield line if len(line) <= LINE_CAP else line + b"\n"
    except OSError as error:
        raise JournalError(str(path), f"it cannot be read ({error.strerror})") from error
