"""The agent's host and the outbox below it, over a channel in memory."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import anyio
import pytest

from support.waiting import until
from support.working import FakeLeader
from swarm.ipc.channel import Receiver
from swarm.ipc.errors import ChannelClosed, Overfull
from swarm.ipc.memory import channel_pair
from swarm.ipc.messages import (
    Answer,
    AnyMessage,
    ChatMessage,
    Choice,
    Hello,
    Log,
    PermissionWithdrawn,
    Question,
    Start,
    Thinking,
    Todo,
    TodoItem,
    Usage,
)
from swarm.ipc.stream_channel import StreamChannel
from swarm.permissions.strategies.swarm_worker import SwarmWorker
from swarm.worker.assignment import assign, load_tool
from swarm.worker.hold import Hold
from swarm.worker.host import INBOX, WorkerHost
from swarm.worker.outbox import Outbox
from swarm.worker.runtime import hello


class Deaf:
    """A receiver that heeds nothing."""

    def message(self, message: AnyMessage) -> None:
        """Heed nothing."""

    def unreadable(self, report: object) -> None:
        """Heed nothing."""

    def acknowledged(self, message: AnyMessage) -> None:
        """Heed nothing."""

    def closed(self, why: str) -> None:
        """Heed nothing."""


@dataclass
class Scene:
    """A host whose messages reach a leader."""

    host: WorkerHost
    leader: FakeLeader
    outbox: Outbox
    channel: StreamChannel


@asynccontextmanager
async def hosted(tmp_path: Path) -> AsyncIterator[Scene]:
    leaders, workers = channel_pair()
    leader = FakeLeader(leaders, tmp_path)
    deaf: Receiver = Deaf()
    workers.open(deaf)
    outbox = Outbox(workers)
    outbox.post(hello())
    await leader.first(Hello)
    start = Start(protocol=1, worker="w", kind="script", agent={}, cwd=str(tmp_path))
    leaders.send(start)
    await until(lambda: workers.connection.state.value == "running")
    host = assign(start, SwarmWorker(outbox), outbox, load_tool, Hold()).host
    try:
        yield Scene(host, leader, outbox, workers)
    finally:
        host.close()
        await workers.aclose()
        await leaders.aclose()


async def test_what_an_agent_tells_reaches_the_leader(tmp_path: Path) -> None:
    async with hosted(tmp_path) as scene:
        await scene.host.think("hm")
        await scene.host.todo([TodoItem(text="all", state="pending")])
        await scene.host.usage(3, 4, 0.5, "m")
        assert (await scene.leader.first(Thinking)).text == "hm"
        assert (await scene.leader.first(Todo)).items[0].text == "all"
        usage = await scene.leader.first(Usage)
        assert (usage.input_tokens, usage.output_tokens, usage.cost, usage.model) == (3, 4, 0.5, "m")


async def test_a_question_waits_for_its_own_answer(tmp_path: Path) -> None:
    async with hosted(tmp_path) as scene:
        answers: list[Answer] = []

        async def ask() -> None:
            answers.append(await scene.host.ask("Which?", [Choice(label="a")]))

        async with anyio.create_task_group() as group:
            group.start_soon(ask)
            question = await scene.leader.first(Question)
            assert not scene.host.answer(Answer(question_id="another"))
            assert scene.host.answer(Answer(question_id=question.id, choices=("a",)))
            scene.host.answer(Answer(question_id=question.id, choices=("too late",)))
        assert [answer.choices for answer in answers] == [("a",)]
        assert not scene.host.answer(Answer(question_id=question.id))


async def test_a_question_that_cannot_be_sent_counts_as_declined(tmp_path: Path) -> None:
    async with hosted(tmp_path) as scene:
        await scene.channel.aclose()
        assert (await scene.host.ask("Which?")).declined


async def test_messages_wait_in_order_and_no_more_than_the_cap(tmp_path: Path) -> None:
    async with hosted(tmp_path) as scene:
        taken = [scene.host.deliver(ChatMessage(text=str(number))) for number in range(INBOX + 1)]
        assert taken == [True] * INBOX + [False]
        assert [(await scene.host.next_message()).text for _ in range(3)] == ["0", "1", "2"]


async def test_an_agent_that_floods_is_slowed_while_the_leader_does_not_read(tmp_path: Path) -> None:
    async with hosted(tmp_path) as scene:
        scene.leader.channel.pause_reading()
        said = 0
        with anyio.move_on_after(0.2):
            while True:
                await scene.host.say("x" * 10_000)
                said += 1
        assert 10 <= said < 100


async def test_a_closed_channel_makes_telling_harmless(tmp_path: Path) -> None:
    async with hosted(tmp_path) as scene:
        await scene.channel.aclose()
        await scene.host.say("into the void")
        await scene.host.log("info", "into the void")


class FullChannel:
    """A channel that is full until it is emptied."""

    def __init__(self) -> None:
        self.is_full = True
        self.sent: list[AnyMessage] = []

    def open(self, receiver: Receiver) -> None:
        """Receive nothing."""

    def wait_briefly(self) -> None:
        return None

    def send(self, message: AnyMessage) -> str:
        if self.is_full:
            raise Overfull(2, 1)
        self.sent.append(message)
        return "m"

    async def drain(self) -> None:
        raise ChannelClosed

    async def flush(self) -> None:
        raise ChannelClosed

    def pause_reading(self) -> None:
        """Read nothing."""

    def resume_reading(self) -> None:
        """Read nothing."""

    async def aclose(self) -> None:
        """Hold nothing."""


async def test_what_a_full_channel_left_out_is_told_with_its_number() -> None:
    channel = FullChannel()
    outbox = Outbox(channel)
    assert [outbox.post(ChatMessage(text="lost")) for _ in range(3)] == ["", "", ""]
    channel.is_full = False
    assert outbox.post(ChatMessage(text="kept")) == "m"
    told, kept = channel.sent
    assert isinstance(told, Log)
    assert told.text.startswith("3 messages were left out")
    assert isinstance(kept, ChatMessage)
    await outbox.settle()


async def test_a_request_that_cannot_be_sent_raises_so_that_nothing_waits_in_vain() -> None:
    with pytest.raises(Overfull):
        Outbox(FullChannel()).send(PermissionWithdrawn(request_id="r", why="w"))
