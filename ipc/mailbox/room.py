"""Watches one mailbox and hands its letters to the streams of their senders, or tells of strangers."""

import logging
from typing import TYPE_CHECKING

from swarm.ipc.channel import Unreadable
from swarm.ipc.mailbox.errors import MailError, PeerTaken
from swarm.ipc.mailbox.letters import read_place, require_name
from swarm.ipc.mailbox.queues import Queues
from swarm.ipc.mailbox.stream import MailStream
from swarm.ipc.mailbox.watch import Watch

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable

    from swarm.ipc.mailbox.box import Mailbox
    from swarm.ipc.mailbox.letters import Letter

_AT_ONCE = 64
"""The most letters of strangers that are told of before the loop gets its turn."""
_PRUNED_AFTER = 250
"""How many letters are put away between two prunings; more at once would hold up the loop."""
_logger = logging.getLogger(__name__)


class Mailroom:
    """The one reader of `mailbox`. Set `strangers` and `refused` before `open`; both must not block.

    `strangers` is called once with each letter whose sender has no stream. The letter is kept: a stream
    opened for its sender, inside the call or later, gives it; `discard` puts it away.
    """

    def __init__(self, mailbox: "Mailbox", *, notified: bool = True) -> None:
        self.mailbox = mailbox
        self.strangers: Callable[[Letter], None] = _keep
        self.refused: Callable[[Unreadable], None] = _log
        self.watch = Watch(mailbox.new, self._look, notified=notified)
        self._queues = Queues()
        self._streams: dict[str, MailStream] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._put_away = 0
        self._problem = ""

    def __repr__(self) -> str:
        return f"<Mailroom {self.mailbox.name}, {len(self._queues.known)} waiting, {self.watch!r}>"

    def open(self, loop: "asyncio.AbstractEventLoop") -> None:
        """Make the mailbox if it is missing and begin to read it. Raises MailError."""
        self.mailbox.create()
        self.mailbox.prune()
        self._loop = loop
        self.watch.attach(loop)

    def stream(self, peer: str) -> MailStream:
        """Give the one stream to and from `peer`. Raises InvalidName, PeerTaken."""
        if require_name(peer) in self._streams:
            raise PeerTaken(peer)
        stream = self._streams[peer] = MailStream(self, peer)
        return stream

    def discard(self, letter: "Letter") -> None:
        """Put a stranger's letter away, so that no stream gives it."""
        self.acknowledge(letter)

    def close(self) -> None:
        """Close all streams and read no more. What is not acknowledged is kept on disk. Idempotent."""
        self._loop = None
        self.watch.close()
        for stream in list(self._streams.values()):
            stream.close()

    def send(self, peer: str, body: bytes) -> None:
        """Send a letter, and look out for an answer. Raises MailError."""
        self.mailbox.send(peer, body)
        if self._loop is not None:
            self.watch.expect()

    def wait(self, peer: str, milliseconds: int) -> bool:
        """Block until a letter of `peer` has come, for so long at most. For streams."""
        if self._loop is None or not self.watch.wait(milliseconds):
            return False
        before = self._queues.count(peer)
        self._look()
        return self._queues.count(peer) > before

    def has_letter(self, peer: str) -> bool:
        """Tell whether a letter of `peer` waits, one that is being read among them. For streams."""
        return self._queues.count(peer) > 0

    def has_letter_after(self, peer: str, begun: "Letter | None") -> bool:
        """Tell whether a letter of `peer` waits besides the one begun. For streams."""
        return self._queues.count(peer) > (begun is not None)

    def next_letter(self, peer: str) -> "Letter | None":
        """Give the next letter of `peer`, which then waits for `acknowledge`. Raises MailError."""
        while (name := self._queues.first(peer)) is not None:
            letter = self.mailbox.take(name)
            if letter is not None:
                return letter
            self._queues.remove(peer, name)
            self._report()
        return None

    def acknowledge(self, letter: "Letter") -> None:
        """Put away a letter that was handled. For streams."""
        self._queues.remove(letter.sender, letter.name)
        try:
            self.mailbox.acknowledge(letter)
            self._put_away += 1
            if self._put_away % _PRUNED_AFTER == 0:
                self.mailbox.prune()
        except MailError as error:
            self._queues.known.add(letter.name)  # its file is still there, but it was handled
            self._complain(error)

    def forget(self, stream: MailStream) -> None:
        """Let letters of a stream that was closed be those of a stranger. For streams."""
        if self._streams.get(stream.peer) is stream:
            del self._streams[stream.peer]
            self._queues.untell(stream.peer, stream.begun)
            if self._loop is not None:
                self._loop.call_soon(self._tell)

    def _look(self) -> bool:
        """Take note of what has come, and tell whether something has."""
        try:
            names = self.mailbox.names(self._queues.known)
            self._problem = ""
            for name in names:
                self._sort(name)
        except MailError as error:
            self._complain(error)
            return False
        self._report()
        self._tell()
        return bool(names)

    def _sort(self, name: str) -> None:
        place = read_place(name)
        if place is None:
            self.mailbox.take(name)  # which refuses it
            return
        self._queues.add(place.sender, name)
        stream = self._streams.get(place.sender)
        if stream is not None:
            stream.wake()

    def _tell(self) -> None:
        """Tell of strangers' letters, some at a time."""
        for _ in range(_AT_ONCE):
            found = self._queues.next_untold() if self._loop is not None else None
            if found is None:
                return
            if found[0] not in self._streams:
                self._tell_of(*found)
        if self._loop is not None:
            self._loop.call_soon(self._tell)

    def _tell_of(self, sender: str, name: str) -> None:
        try:
            letter = self.mailbox.take(name)
            if letter is None:
                self._queues.remove(sender, name)
                self._report()
            else:
                self.strangers(letter)
        except MailError as error:
            self._complain(error)
        except Exception:
            _logger.exception("a letter of %s is kept, since telling of it failed", sender)

    def _report(self) -> None:
        for report in self.mailbox.refused:
            self.refused(report)

    def _complain(self, error: MailError) -> None:
        """Say what is wrong with the mailbox, once for as long as it stays so."""
        if str(error) != self._problem:
            self._problem = str(error)
            self.refused(Unreadable(problem=self._problem, excerpt=""))


def _keep(letter: "Letter") -> None:
    """Leave a stranger's letter where it is."""


def _log(report: Unreadable) -> None:
    _logger.warning("%s (%d times: %s)", report.problem, report.count, report.excerpt)
