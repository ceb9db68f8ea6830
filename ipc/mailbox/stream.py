"""A byte stream made of letters to and from one peer, so that a channel works over the mailbox."""

import errno
from typing import TYPE_CHECKING

from swarm.ipc.bytestream import READ_SIZE
from swarm.ipc.mailbox.errors import MailError, MailFailed, UnknownRecipient
from swarm.ipc.memory import Watch as Readiness

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable

    from swarm.ipc.mailbox.letters import Letter
    from swarm.ipc.mailbox.room import Mailroom


class MailStream:
    """The way to and from `peer`. A write is a letter; the other side never ends it.

    A letter is acknowledged when the next read comes after all its bytes were given; so who dies over
    it gets it again, and drops what it has. Made by `Mailroom.stream`.
    """

    def __init__(self, room: "Mailroom", peer: str) -> None:
        self.peer = peer
        self._room = room
        self._letter: Letter | None = None
        self._given = 0
        self._is_open = True
        self._reading = Readiness(self._can_read)
        self._writing = Readiness(lambda: self._is_open)

    def __repr__(self) -> str:
        return f"<MailStream {self.peer} {'open' if self._is_open else 'closed'}>"

    @property
    def begun(self) -> str | None:
        """The name of the letter that is being read, or was and is not acknowledged yet."""
        return None if self._letter is None else self._letter.name

    def attach(self, loop: "asyncio.AbstractEventLoop") -> None:
        """Get ready to be watched by `loop`, which is the one that the room was opened on."""
        self._reading.attach(loop)
        self._writing.attach(loop)

    def read(self) -> bytes:
        """Give the next bytes of the letter begun, or of the next one. Raises OSError."""
        try:
            while self._is_open:
                if self._letter is not None and self._given < len(self._letter.body):
                    return self._next_piece(self._letter.body)
                if not self._begin_next():
                    break
        except MailError as error:
            raise _as_os_error(error) from error
        raise BlockingIOError(errno.EAGAIN, "no letter waits")

    def wait_readable(self, milliseconds: int) -> bool:
        """Block until a letter has come, for so long at most."""
        return self._is_open and (self._has_unread() or self._room.wait(self.peer, milliseconds))

    def write(self, data: bytes | memoryview) -> int:
        """Send all of `data` as one letter. Raises OSError, BrokenPipeError if nobody has the mailbox."""
        if not self._is_open:
            raise BrokenPipeError(errno.EPIPE, "this end was closed")
        if data:
            try:
                self._room.send(self.peer, bytes(data))
            except MailError as error:
                raise _as_os_error(error) from error
        return len(data)

    def watch_reading(self, callback: "Callable[[], object] | None") -> None:
        """Call `callback` from the loop whenever there is something to read or to acknowledge."""
        self._reading.set(callback)

    def watch_writing(self, callback: "Callable[[], object] | None") -> None:
        """Call `callback` from the loop: a letter can always be tried."""
        self._writing.set(callback)

    def wake(self) -> None:
        """Look again whether a letter waits. For the room."""
        self._reading.wake()

    def close(self) -> None:
        """End both ways; a letter not acknowledged is kept for the next stream. Idempotent."""
        if self._is_open:
            self._is_open = False
            self._reading.set(None)
            self._writing.set(None)
            self._room.forget(self)

    def _can_read(self) -> bool:
        """Whether a read does something: also when all was given, since it acknowledges then."""
        return self._is_open and (self._letter is not None or self._room.has_letter(self.peer))

    def _has_unread(self) -> bool:
        begun = self._letter is not None and self._given < len(self._letter.body)
        return begun or self._room.has_letter_after(self.peer, self._letter)

    def _begin_next(self) -> bool:
        """Acknowledge the letter that was given, take the next one, and tell whether there is one."""
        if self._letter is not None:
            letter, self._letter = self._letter, None
            self._room.acknowledge(letter)
        self._letter = self._room.next_letter(self.peer)
        self._given = 0
        return self._letter is not None

    def _next_piece(self, body: bytes) -> bytes:
        piece = body[self._given : self._given + READ_SIZE]
        self._given += len(piece)
        return piece


def _as_os_error(error: MailError) -> OSError:
    """Give what a channel understands, with the whole text."""
    match error:
        case UnknownRecipient():
            return BrokenPipeError(errno.EPIPE, str(error))
        case MailFailed():
            return OSError(error.errno, str(error))
        case _:
            return OSError(errno.EIO, str(error))
