"""Whatever dies or is cut, and whenever: each call runs at most once, only if allowed, and none is lost."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from support.chiefs import Book, Chief, Life
from support.gating import EchoTool
from support.successions import MemoryWays, Throne
from swarm.ipc.codec import Role
from swarm.ipc.failover import FailoverChannel
from swarm.ipc.memory import channel_pair
from swarm.ipc.messages import (
    ChatMessage,
    Ping,
)
from swarm.ipc.stream_channel import StreamChannel
from swarm.permissions.strategies.swarm_worker import SwarmWorker
from swarm.worker.gate import Gate
from swarm.worker.hold import Hold
from swarm.worker.outbox import Outbox
from swarm.worker.reception import Reception
from swarm.worker.runtime import hello
from swarm.worker.tools.base import Tool, ToolContext

if TYPE_CHECKING:
    from swarm.worker.calls import CallOutcome

NEVER = 1e6
"""Looks are taken by the machine and not by the clock."""


class Holding(RuleBasedStateMachine):
    """One worker's calls, and leaders that come and go."""

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.book, self.throne, self.ways = Book(), Throne(), MemoryWays()
        self.tool, self.hold = EchoTool(on_run=self.begins), Hold()
        self.life = Life(self.hold)
        self.said: list[str] = []
        self.calls: dict[str, asyncio.Task[CallOutcome]] = {}
        self.loop.run_until_complete(self.begin())

    async def begin(self) -> None:
        self.throne.crown()
        leader, worker = channel_pair()
        self.channel = FailoverChannel(worker, self.ways, hello, look=NEVER, presence=self.throne.look)
        self.outbox = outbox = Outbox(self.channel)
        strategy = SwarmWorker(outbox)
        self.channel.on_hold = self.begin_hold
        self.gate = Gate(strategy, outbox, ToolContext(Path("/"), {}), self.find, hold=self.hold)
        self.chief = Chief(leader, self.book, self.throne)
        self.channel.open(Reception(self.life, strategy, outbox))
        self.channel.send(hello())
        await turns(20)

    def begin_hold(self, why: str) -> bool:
        self.hold.begin(why)
        return True

    def begins(self) -> None:
        assert not self.hold.is_on, "nothing begins while there is no leader"

    def find(self, name: str) -> Tool[Any]:
        return self.tool

    def let(self, count: int) -> None:
        """Give the loop some turns: few of them leave messages and tasks under way."""
        self.loop.run_until_complete(turns(count))

    @rule(count=st.integers(1, 12))
    def pass_time(self, count: int) -> None:
        self.let(count)

    @precondition(lambda self: len(self.calls) < 6)
    @rule(count=st.integers(0, 8))
    def ask(self, count: int) -> None:
        text = f"call {len(self.calls)}"
        self.calls[text] = self.loop.create_task(self.gate.call("Echo", {"text": text}))
        self.let(count)

    @rule()
    def say(self) -> None:
        self.said.append(f"word {len(self.said)}")
        assert self.outbox.post(ChatMessage(text=self.said[-1]))

    @precondition(lambda self: self.book.waiting())
    @rule(allow=st.booleans(), sends=st.booleans(), count=st.integers(0, 5))
    def decide(self, allow: bool, sends: bool, count: int) -> None:
        answer = self.book.decide(self.book.waiting()[0], allow)
        if sends:
            self.chief.send(answer)
        self.let(count)

    @precondition(lambda self: self.book.decided)
    @rule()
    def answer_again(self) -> None:
        self.chief.send(next(reversed(self.book.decided.values())))

    @rule()
    def acknowledge(self) -> None:
        self.chief.send(Ping())

    @rule(count=st.integers(0, 5))
    def cut(self, count: int) -> None:
        """The way breaks and the leader lives."""
        self.chief.channel.abandon("it was cut")
        self.let(count)

    @rule(count=st.integers(0, 5))
    def crash(self, count: int) -> None:
        self.throne.mark = None
        self.chief.channel.abandon("it died")
        self.let(count)

    @precondition(lambda self: self.ways.opened)
    @rule(is_missed=st.booleans(), count=st.integers(0, 5))
    def vanish(self, is_missed: bool, count: int) -> None:
        """The leader dies and the way by mail tells nothing of it; the worker may look at once."""
        self.throne.mark = None
        self.chief.is_dead = True
        if is_missed:
            self.loop.run_until_complete(self.take_look())
        self.let(count)

    @rule(count=st.integers(0, 5))
    def look(self, count: int) -> None:
        if self.hold.is_on or self.ways.opened:
            self.loop.run_until_complete(self.take_look())
        self.let(count)

    async def take_look(self) -> None:
        self.channel._look()

    @rule(count=st.integers(0, 12))
    def come(self, count: int) -> None:
        """A leader comes, or one that is there finds the worker's newest greeting."""
        self.receive()
        self.let(count)

    def receive(self) -> None:
        if self.throne.mark is None:
            self.throne.crown()
        if self.ways.leaders:
            self.loop.run_until_complete(self.take_way())

    async def take_way(self) -> None:
        self.chief.channel.abandon("a newer way is there")
        way = StreamChannel(Role.LEADER, self.ways.leaders.pop())
        self.ways.leaders.clear()
        self.chief = Chief(way, self.book, self.throne)

    @invariant()
    def nothing_runs_twice_or_unallowed(self) -> None:
        ran = [text for text, _ in self.tool.ran]
        assert len(ran) == len(set(ran))
        allowed = {
            self.book.asked[request_id].input["text"]
            for request_id, answer in self.book.decided.items()
            if answer.behavior == "allow"
        }
        assert set(ran) <= allowed
        assert self.life.ends == []

    def teardown(self) -> None:
        """In the end a leader comes and decides all: then no call may be left, nor have got lost."""
        for _ in range(30):
            self.let(30)
            if self.hold.is_on or self.ways.opened:
                self.loop.run_until_complete(self.take_look())
            self.receive()
            self.let(30)
            for request_id in self.book.waiting():
                self.chief.send(self.book.decide(request_id, allow=True))
            for answer in self.book.decided.values():
                self.chief.send(answer)
            self.let(30)
            is_heard = len(self.book.heard) == len(self.said)
            if is_heard and all(task.done() for task in self.calls.values()):
                break
        outcomes = {text: task.result().outcome for text, task in self.calls.items() if task.done()}
        self.nothing_runs_twice_or_unallowed()
        assert outcomes.keys() == self.calls.keys()
        decided = {self.book.asked[key].input["text"]: answer for key, answer in self.book.decided.items()}
        for text, outcome in outcomes.items():
            allowed = decided[text].behavior == "allow"
            assert outcome == ("succeeded" if allowed else "denied")
        assert len(self.book.asked) == len(self.calls)
        assert sorted(self.book.heard.values()) == sorted(self.said)
        self.loop.run_until_complete(self.channel.aclose())
        self.loop.run_until_complete(turns(5))
        self.loop.close()


async def turns(count: int) -> None:
    for _ in range(count):
        await asyncio.sleep(0)


TestHolding = Holding.TestCase
TestHolding.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
