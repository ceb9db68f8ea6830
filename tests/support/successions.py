"""Leaders that follow one another, for a worker in the test's own event loop: no process, no mail."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio

from support.lives import NotingTool
from support.waiting import until
from support.working import FakeLeader
from swarm.ipc.codec import Role
from swarm.ipc.failover import FailoverChannel
from swarm.ipc.leader_presence import LeaderMark
from swarm.ipc.memory import MemoryStream, channel_pair, memory_streams
from swarm.ipc.messages import Adopt, Hello, Start
from swarm.ipc.stream_channel import StreamChannel
from swarm.worker.runtime import Runtime, hello
from swarm.worker.tools.base import Tool

SOON = 0.01
"""Between two looks at who leads, in seconds."""


@dataclass
class MemoryWays:
    """Ways in memory; the leader's end of each waits until a leader takes it, as letters would."""

    leaders: list[MemoryStream] = field(default_factory=list)
    is_broken: bool = False
    is_gone: bool = False
    opened: int = 0

    def open(self, start: Start) -> StreamChannel:
        if self.is_broken:
            raise OSError("there is no mail")
        self.opened += 1
        leader, worker = memory_streams()
        self.leaders.append(leader)
        return StreamChannel(Role.WORKER, worker)

    def is_lost(self, start: Start) -> bool:
        return self.is_gone

    def close(self) -> None:
        """Hold nothing."""


@dataclass
class Throne:
    """Who leads: `mark` is what anybody sees of it."""

    mark: LeaderMark | None = None
    crowned: int = 0

    def crown(self) -> LeaderMark:
        self.crowned += 1
        self.mark = LeaderMark(1000 + self.crowned, float(self.crowned))
        return self.mark

    def look(self, session: str) -> LeaderMark | None:
        return self.mark


@dataclass
class Succession:
    """A worker and the leaders it has had; the last is `leader`."""

    cwd: Path
    leader: FakeLeader
    runtime: Runtime
    ways: MemoryWays = field(default_factory=MemoryWays)
    throne: Throne = field(default_factory=Throne)
    tool: NotingTool = field(default_factory=NotingTool)
    sent: list[bool] = field(default_factory=list)
    forced: list[str] = field(default_factory=list)

    async def kill(self) -> None:
        """Let the leader die, and wait until the worker holds."""
        self.throne.mark = None
        self.leader.channel.abandon("it died")
        await until(lambda: self.runtime.is_held or self.sent)

    async def succeed(self, **options: Any) -> FakeLeader:
        """Let another leader come, take the newest way and hear hello; it has not adopted yet."""
        self.throne.crown()
        await until(lambda: self.ways.leaders)
        self.leader = FakeLeader(StreamChannel(Role.LEADER, self.ways.leaders.pop()), self.cwd, **options)
        await self.leader.first(Hello)
        return self.leader

    def adopt(self) -> None:
        """Let the leader that has come go on with the worker."""
        assert self.throne.mark
        self.adopt_as(self.throne.mark.pid)

    def adopt_as(self, pid: int) -> None:
        """Say that the leader of this process goes on."""
        self.leader.channel.send(Adopt(protocol=1, pid=pid))

    async def adopted(self, **options: Any) -> FakeLeader:
        """Let another leader come and go on with the worker."""
        leader = await self.succeed(**options)
        self.adopt()
        return leader


@asynccontextmanager
async def succession(cwd: Path) -> AsyncIterator[Succession]:
    """Let a worker live under leaders that come and go; at the end the last goes for good."""
    leaders, workers = channel_pair()
    ways, throne, tool = MemoryWays(), Throne(), NotingTool()
    forced: list[str] = []
    channel = FailoverChannel(workers, ways, hello, look=SOON, presence=throne.look)

    def find(name: str) -> Tool[Any]:
        return tool

    runtime = Runtime(channel, lambda: forced.append("forced"), find)
    channel.on_hold = runtime.hold
    throne.crown()
    made = Succession(cwd, FakeLeader(leaders, cwd), runtime, ways, throne, tool, forced=forced)

    async def live() -> None:
        made.sent.append(await made.runtime.run())

    async with anyio.create_task_group() as group:
        group.start_soon(live)
        yield made
        made.runtime.terminate("the test is over")
        made.leader.channel.abandon("the test is over")
