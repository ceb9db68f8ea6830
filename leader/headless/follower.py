"""Reads along in the journal of a running session and hands on what was written. Loses nothing.

It reads from the file rather than keeping entries, so that a reader of ours that is slow costs no memory.
"""

from collections.abc import Awaitable, Callable
from itertools import islice

import anyio
import anyio.lowlevel

from swarm.leader.errors import JournalError
from swarm.leader.session.chain import Record
from swarm.leader.session.journal import Journal
from swarm.leader.session.reading import JournalReading, read_journal

PAUSE = 0.016
"""How long it waits after the first new entry for more of them, in seconds."""
BATCH = 200
"""How many records are read before others get their turn."""

Deliver = Callable[[list[Record]], Awaitable[None]]


class Follower:
    """Follows one journal until `finish` is called and all of it was delivered."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._written = anyio.Event()
        self._finished = False

    def finish(self) -> None:
        """Nothing more will be written: deliver what is there, then end."""
        self._finished = True
        self._written.set()

    async def run(self, deliver: Deliver) -> str:
        """Deliver all records in order; give what ended it too early, or an empty text."""

        def note() -> None:
            self._written.set()

        self._journal.listeners.append(note)
        try:
            with read_journal(self._journal.path, follow=True) as reading:
                await self._follow(reading, deliver)
        except JournalError as error:
            return str(error)
        finally:
            self._journal.listeners.remove(note)
        return ""

    async def _follow(self, reading: JournalReading, deliver: Deliver) -> None:
        while True:
            finished = self._finished
            self._written = anyio.Event()
            while batch := _next_records(reading):
                await deliver(batch)
                await anyio.lowlevel.checkpoint()  # what was told before is read without a wait otherwise
            if finished:
                return
            if not self._finished:
                await self._written.wait()
            if not self._finished:
                await anyio.sleep(PAUSE)


def _next_records(reading: JournalReading) -> list[Record]:
    return list(islice(reading, BATCH))
