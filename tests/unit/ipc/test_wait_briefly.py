"""Taking an answer without a turn of the event loop."""

import os
from collections.abc import AsyncIterator

import pytest

from support.receiving import Notes
from swarm.ipc.codec import Role, encode
from swarm.ipc.memory import channel_pair
from swarm.ipc.messages import Ping
from swarm.ipc.stdio import PipeChannel

Worker = tuple[PipeChannel, Notes, int]


@pytest.fixture
async def worker() -> AsyncIterator[Worker]:
    """Give a worker's channel, what it received, and the descriptor that its leader writes to."""
    read_fd, leader_fd = os.pipe()
    unread_fd, write_fd = os.pipe()
    channel, notes = PipeChannel(Role.WORKER, read_fd, write_fd), Notes()
    channel.open(notes)
    yield channel, notes, leader_fd
    await channel.aclose()
    os.close(leader_fd)
    os.close(unread_fd)


async def test_what_is_there_is_delivered_at_once(worker: Worker) -> None:
    channel, notes, leader_fd = worker
    os.write(leader_fd, encode(Ping(id="p1", seq=1)))
    channel.wait_briefly()
    assert [message.id for message in notes.messages] == ["p1"]


async def test_nothing_is_delivered_where_nothing_comes(worker: Worker) -> None:
    channel, notes, _ = worker
    channel.wait_briefly()
    assert (notes.messages, notes.ends) == ([], [])


async def test_a_paused_channel_delivers_nothing(worker: Worker) -> None:
    channel, notes, leader_fd = worker
    os.write(leader_fd, encode(Ping(id="p1", seq=1)))
    channel.pause_reading()
    channel.wait_briefly()
    assert notes.messages == []
    channel.resume_reading()
    await notes.until(lambda notes: notes.messages)


async def test_a_closed_channel_is_left_alone(worker: Worker) -> None:
    channel, notes, _ = worker
    await channel.aclose()
    channel.wait_briefly()
    assert notes.messages == []


async def test_a_channel_in_memory_never_blocks_its_own_loop() -> None:
    leader, end = channel_pair()
    notes = Notes()
    leader.open(Notes())
    end.open(notes)
    leader.send(Ping())
    end.wait_briefly()
    await notes.until(lambda notes: notes.messages)
    await leader.aclose()
    await end.aclose()
