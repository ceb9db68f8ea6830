"""A session's folder with its lock and its mail, and leaders in it that come and go, without a process."""

import asyncio
import fcntl
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from support.waiting import until
from support.working import FakeLeader
from swarm.ipc.codec import Role
from swarm.ipc.mailbox.box import Mailbox
from swarm.ipc.mailbox.key import make_key
from swarm.ipc.mailbox.room import Mailroom
from swarm.ipc.messages import Adopt, Hello
from swarm.ipc.stream_channel import StreamChannel
from swarm.ipc.ways import worker_mailbox

if TYPE_CHECKING:
    from swarm.ipc.mailbox.letters import Letter


class Realm:
    """A session in which one worker, `w`, can be led. A leader is this process, while it has the lock."""

    def __init__(self, folder: Path) -> None:
        self.session = folder / "session"
        (self.session / "workers" / "w").mkdir(parents=True, mode=0o700)
        (self.session / "mail").mkdir(mode=0o700)
        self._key = make_key(self.session / "mail.key")
        self._lock = -1
        self._reigns = 0
        self._room: Mailroom | None = None
        Mailbox(self.session / "mail", "leader", self._key).create()

    @property
    def calls(self) -> str:
        """The worker's journal of its calls."""
        path = self.session / "workers" / "w" / "calls.jsonl"
        return path.read_text() if path.exists() else ""

    def crown(self) -> None:
        """Let a leader come: take the lock, then say who it is."""
        self._lock = os.open(self.session / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        self._reigns += 1
        file = self.session / "leader.json"
        file.write_text(json.dumps({"pid": os.getpid(), "process_started": float(self._reigns)}))

    def fall(self) -> None:
        """Let the leader die. Idempotent."""
        if self._room is not None:
            self._room.close()
            self._room = None
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    async def succeed(self, cwd: Path, **options: Any) -> FakeLeader:
        """Let another leader come, find the worker's hello in its mail, and go on with the worker."""
        self.crown()
        self._room = room = Mailroom(Mailbox(self.session / "mail", "leader", self._key))
        found: list[Letter] = []

        def take(letter: "Letter") -> None:
            if b'"type":"hello"' in letter.body[:200]:
                found.append(letter)
            else:
                room.discard(letter)

        room.strangers = take
        room.open(asyncio.get_running_loop())
        await until(lambda: found)
        stream = room.stream(worker_mailbox("w"))
        leader = FakeLeader(StreamChannel(Role.LEADER, stream), cwd, **options)
        await leader.first(Hello)
        leader.channel.send(Adopt(protocol=1, pid=os.getpid()))
        return leader
