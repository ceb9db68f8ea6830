"""A whole channel over the mailbox: the same messages and rules as over pipes."""

import asyncio
import errno
import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from support.receiving import Notes
from support.waiting import until
from swarm.ipc.codec import Role
from swarm.ipc.errors import ChannelClosed
from swarm.ipc.mailbox.box import Mailbox
from swarm.ipc.mailbox.room import Mailroom
from swarm.ipc.messages import AnyMessage, ChatMessage, Event, Hello, Ping, Start, ToolOutput
from swarm.ipc.stream_channel import StreamChannel

KEY = b"k" * 32
HELLO = Hello((1,), 1, "test", "3", worker="a", attempt=1)
START = Start(1, "a", "script", {}, "/")


class Ends:
    """Both ends in one loop, each with its own mail room."""

    def __init__(self, root: Path, *, notified: bool) -> None:
        loop = asyncio.get_running_loop()
        self.rooms = [
            Mailroom(Mailbox(root, name, KEY), notified=notified) for name in ("leader", "worker-a")
        ]
        for room in self.rooms:
            room.open(loop)
        self.leader = StreamChannel(Role.LEADER, self.rooms[0].stream("worker-a"))
        self.worker = StreamChannel(Role.WORKER, self.rooms[1].stream("leader"))
        self.at_leader = Notes()
        self.at_worker = Notes()
        self.leader.open(self.at_leader)
        self.worker.open(self.at_worker)

    async def begin(self) -> None:
        self.worker.send(HELLO)
        await self.at_leader.until(lambda notes: notes.messages)
        self.leader.send(START)
        await self.at_worker.until(lambda notes: notes.messages)

    async def close(self) -> None:
        for channel in (self.leader, self.worker):
            await channel.aclose()
        for room in self.rooms:
            room.close()


@pytest.fixture(params=[True, False], ids=["notified", "looking"])
async def ends(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Ends]:
    made = Ends(tmp_path / "mail", notified=request.param)
    yield made
    await made.close()


def chats(messages: list[AnyMessage]) -> list[str]:
    return [message.text for message in messages if isinstance(message, ChatMessage)]


async def test_messages_go_both_ways_in_order_and_are_acknowledged(ends: Ends) -> None:
    await ends.begin()
    for number in range(10):
        ends.worker.send(ChatMessage(str(number)))
        ends.leader.send(ChatMessage(str(number)))
    for notes in (ends.at_leader, ends.at_worker):
        await notes.until(lambda notes: len(chats(notes.messages)) == 10)
        assert chats(notes.messages) == [str(number) for number in range(10)]
    ends.leader.send(Ping())
    await ends.at_worker.until(lambda notes: isinstance(notes.messages[-1], Ping))


async def test_a_message_as_long_as_a_line_may_be_comes_whole(ends: Ends) -> None:
    await ends.begin()
    text = "x" * 8_000_000
    ends.worker.send(Event(ToolOutput("call-1", "first")))
    ends.worker.send(ChatMessage(text))
    await ends.at_leader.until(lambda notes: chats(notes.messages) == [text])


async def test_a_channel_to_a_mailbox_that_is_gone_closes(ends: Ends, tmp_path: Path) -> None:
    await ends.begin()
    (tmp_path / "mail/leader").rename(tmp_path / "mail/gone")
    with pytest.raises(ChannelClosed, match="reads no more"):
        ends.worker.send(ChatMessage("to nobody"))
    assert "reads no more" in await ends.at_worker.until_closed()


async def test_a_full_disk_closes_a_channel_with_the_advice(
    ends: Ends, monkeypatch: pytest.MonkeyPatch
) -> None:
    await ends.begin()

    def fail(fd: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fail)
        with pytest.raises(ChannelClosed, match="Make room on that disk"):
            ends.worker.send(ChatMessage("too much"))


async def test_a_brief_wait_delivers_what_has_come(tmp_path: Path) -> None:
    ends = Ends(tmp_path / "mail", notified=True)
    await ends.begin()
    ends.worker.send(ChatMessage("asked"))
    for _ in range(1000):
        ends.leader.wait_briefly()
        if chats(ends.at_leader.messages):
            break
    assert chats(ends.at_leader.messages) == ["asked"]
    await ends.close()


async def test_what_a_dead_leader_had_in_hand_comes_to_the_next_one(tmp_path: Path) -> None:
    ends = Ends(tmp_path / "mail", notified=True)
    await ends.begin()
    ends.rooms[0].close()
    ends.worker.send(ChatMessage("while nobody was there"))
    room = Mailroom(Mailbox(tmp_path / "mail", "leader", KEY))
    told: list[bytes] = []
    room.strangers = lambda letter: told.append(letter.body)
    room.open(asyncio.get_running_loop())
    await until(lambda: told)
    assert b"while nobody was there" in told[-1]
    room.close()
    await ends.close()
