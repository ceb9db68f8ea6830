"""Where a worker's conversation can go on when its first way has ended: the session's mailbox."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from swarm.ipc.codec import Role
from swarm.ipc.messages import Start
from swarm.ipc.stream_channel import StreamChannel

if TYPE_CHECKING:
    from swarm.ipc.mailbox.box import Mailbox
    from swarm.ipc.mailbox.room import Mailroom

LEADER = "leader"
"""The leader's mailbox."""


class Ways(Protocol):
    """Where a conversation can go on when its first way has ended."""

    def open(self, start: Start) -> StreamChannel:
        """Give a new way to whoever leads the session. It replaces the one given before.

        Raises IpcError or OSError if there is none for now.
        """

    def is_lost(self, start: Start) -> bool:
        """Tell whether there can be no way any more, since the session is gone."""

    def close(self) -> None:
        """Let go of everything. Idempotent."""


class MailWays:
    """The ways to the leader of a session by mail. Loads the mailbox with the first."""

    def __init__(self) -> None:
        self._box: Mailbox | None = None
        self._room: Mailroom | None = None

    def open(self, start: Start) -> StreamChannel:
        """Give a way by mail. What waited in the mailbox was for a conversation that is over."""
        from swarm.ipc.mailbox.room import Mailroom

        self.close()
        if self._box is None:
            self._box = _mailbox(start)
        self._box.create()
        self._box.clear()
        self._room = Mailroom(self._box)
        self._room.open(asyncio.get_running_loop())
        return StreamChannel(Role.WORKER, self._room.stream(LEADER))

    def is_lost(self, start: Start) -> bool:
        """Tell whether the session's folder is gone."""
        return not Path(start.session, "mail").is_dir()

    def close(self) -> None:
        """Read no more mail."""
        if self._room is not None:
            self._room.close()
            self._room = None


def worker_mailbox(worker: str) -> str:
    """Give the name of a worker's mailbox."""
    return f"worker-{worker}"


def _mailbox(start: Start) -> "Mailbox":
    from swarm.ipc.mailbox.box import Mailbox
    from swarm.ipc.mailbox.key import read_key

    session = Path(start.session)
    return Mailbox(session / "mail", worker_mailbox(start.worker), read_key(session / "mail.key"))
