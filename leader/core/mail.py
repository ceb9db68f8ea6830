"""The leader's mailbox: where workers come back to whose way to their leader has ended.

It finds the attempt that a greeting is from and gives it the new channel; it decides nothing.
"""

import asyncio
from collections.abc import Callable
from pathlib import Path

from swarm.ipc.channel import Unreadable
from swarm.ipc.codec import Role, reader
from swarm.ipc.errors import IpcError
from swarm.ipc.mailbox.box import Mailbox
from swarm.ipc.mailbox.errors import MailError, PeerTaken
from swarm.ipc.mailbox.key import make_key, read_key
from swarm.ipc.mailbox.letters import Letter
from swarm.ipc.mailbox.room import Mailroom
from swarm.ipc.messages import Hello
from swarm.ipc.stream_channel import StreamChannel
from swarm.leader.core.attempt import Attempt

LEADER = "leader"
_WORKER = "worker-"
KEY_FILE = "mail.key"
PATIENCE = 10.0
"""How long a greeting waits for the attempt that it is from, in seconds."""
_PAUSE = 0.05

_read = reader(Role.WORKER)


class LeaderMail:
    """The mail of one session. `attempt_of` gives the attempt of a worker that is being led."""

    def __init__(
        self, folder: Path, attempt_of: Callable[[str], Attempt | None], notice: Callable[[str], None]
    ) -> None:
        self._folder = folder
        self._root = folder / "mail"
        self._attempt_of = attempt_of
        self._notice = notice
        self._room: Mailroom | None = None
        self._key = b""

    def __repr__(self) -> str:
        return f"<LeaderMail {self._folder.name} {self._room!r}>"

    def open(self) -> bool:
        """Begin to read, and tell whether workers can come back here. What is in the way is told."""
        try:
            self._key = self._find_key()
            room = Mailroom(Mailbox(self._root, LEADER, self._key))
            room.strangers, room.refused = self._receive, self._refused
            room.open(asyncio.get_running_loop())
        except MailError as error:
            self._notice(f"Workers cannot come back if the leader dies: {error}")
            return False
        self._room = room
        return True

    def prepare(self, worker: str) -> None:
        """Make an empty mailbox for a worker that is about to be started."""
        if self._room is None:
            return
        try:
            box = Mailbox(self._root, _WORKER + worker, self._key)
            box.create()
            for letter in box.waiting():
                box.acknowledge(letter)
        except MailError as error:
            self._notice(f"{worker} cannot come back if the leader dies: {error}")

    def close(self) -> None:
        """Read no more. Idempotent."""
        if self._room is not None:
            self._room.close()
            self._room = None

    def _find_key(self) -> bytes:
        path = self._folder / KEY_FILE
        return read_key(path) if path.exists() else make_key(path)

    def _receive(self, letter: Letter, tries: int = round(PATIENCE / _PAUSE)) -> None:
        """Take a letter of one who has no channel here: a greeting, or what nobody waits for any more."""
        if self._room is None:
            return
        hello, name = greeting(letter.body), letter.sender.removeprefix(_WORKER)
        if hello is None or letter.sender != f"{_WORKER}{hello.worker}":
            self._room.discard(letter)
            return
        attempt = self._attempt_of(name)
        if attempt is not None and attempt.number == hello.attempt:
            self._welcome(letter, attempt)
        elif attempt is None and tries:  # it may be about to be adopted
            asyncio.get_running_loop().call_later(_PAUSE, self._receive, letter, tries - 1)
        else:
            self._room.discard(letter)
            self._notice(
                f"A greeting of {name}, attempt {hello.attempt}, came too late: nobody waits for it."
            )

    def _welcome(self, letter: Letter, attempt: Attempt) -> None:
        assert self._room is not None
        try:
            stream = self._room.stream(letter.sender)
        except PeerTaken:
            return  # it has greeted twice, and is heard on the way that the first greeting opened
        except IpcError as error:
            self._notice(f"{attempt.plan.name} cannot come back: {error}")
            return
        attempt.bind(StreamChannel(Role.LEADER, stream))

    def _refused(self, report: Unreadable) -> None:
        self._notice(f"Mail was refused ({report.count}): {report.problem}: {report.excerpt}")


def greeting(body: bytes) -> Hello | None:
    """Give the greeting that a letter begins with, if it is one of a worker that was started before."""
    try:
        message = _read(body.partition(b"\n")[0])
    except (ValueError, RecursionError):
        return None
    return message if isinstance(message, Hello) and message.worker else None
