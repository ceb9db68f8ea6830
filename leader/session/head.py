"""The note that a leader leaves when it ends: how many entries its journal has, and the last one's hash.

It shows when a journal was cut short later. Whoever may write the one file may write the other too.
"""

from contextlib import suppress
from pathlib import Path

import msgspec

from swarm.leader.errors import LeaderError
from swarm.leader.session.journal import Journal
from swarm.leader.session.places import open_regular, write_whole

HEAD_FILE = "journal.head"
_CAP = 4096


class JournalHead(msgspec.Struct, frozen=True):
    """How many entries there were, and the hash of the last."""

    entries: int
    hash: str


def note_head(folder: Path, journal: Journal) -> None:
    """Leave the note, unless the journal could not be written to its end. A failure harms nothing."""
    if journal.problem or not journal.count:
        return
    with suppress(OSError, LeaderError):
        write_whole(folder / HEAD_FILE, msgspec.json.encode(JournalHead(journal.count, journal.last_hash)))


def read_head(folder: Path) -> JournalHead | None:
    """Give the note of a session that has ended; None if there is none or it cannot be read."""
    try:
        with open_regular(folder / HEAD_FILE) as file:
            return msgspec.json.decode(file.read(_CAP), type=JournalHead)
    except (OSError, msgspec.MsgspecError):
        return None
