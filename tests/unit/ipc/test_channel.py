"""What a channel promises, over pipes and in memory alike."""

import asyncio
from typing import TYPE_CHECKING

import pytest

from support.wired import HELLO, REQUEST, MakeEnds, Team, texts
from swarm.ipc.errors import ChannelClosed, LocalProtocolError, Overfull
from swarm.ipc.memory import channel_pair
from swarm.ipc.messages import ChatMessage, Error, Event, Heartbeat, Log, PermissionRequest, Result, Text
from swarm.ipc.stream_channel import HIGH_WATER, StreamChannel

if TYPE_CHECKING:
    from swarm.ipc.channel import Channel


def send_many(end: StreamChannel, count: int) -> None:
    for _ in range(count):
        end.send(ChatMessage("x" * 1000))


def test_every_kind_of_channel_satisfies_the_protocol() -> None:
    leader, worker = channel_pair()
    ends: list[Channel] = [leader, worker]
    assert all("open" in repr(end) for end in ends)


async def test_send_gives_the_id_under_which_the_message_arrives(team: Team) -> None:
    request_id = team.worker.send(REQUEST)
    event_id = team.worker.send(Event(Text("hi")))
    await team.at_leader.until(lambda notes: len(notes.messages) == 2)
    assert [message.id for message in team.at_leader.messages] == [request_id, event_id]
    assert request_id != event_id


async def test_ids_of_two_channels_never_meet() -> None:
    assert channel_pair()[1].connection.id_prefix != channel_pair()[1].connection.id_prefix


async def test_numbers_follow_the_order_on_the_wire(team: Team) -> None:
    for number in range(50):
        team.worker.send(Event(Text(str(number))))
        team.worker.send(ChatMessage(str(number)))
    await team.at_leader.until(lambda notes: len(notes.messages) == 100)
    assert [message.seq for message in team.at_leader.messages] == list(range(2, 102))
    assert texts(team.at_leader.messages) == [str(number) for number in range(50)]


async def test_a_request_overtakes_what_is_streamed(team: Team) -> None:
    for number in range(10):
        team.worker.send(Event(Text(str(number))))
    team.worker.send(REQUEST)
    await team.at_leader.until(lambda notes: len(notes.messages) == 11)
    assert isinstance(team.at_leader.messages[0], PermissionRequest)


async def test_a_result_goes_behind_all_that_was_streamed_before(team: Team) -> None:
    team.worker.send(Event(Text("last words")))
    team.worker.send(Result("succeeded"))
    await team.at_leader.until(lambda notes: len(notes.messages) == 2)
    assert isinstance(team.at_leader.messages[1], Result)


async def test_a_request_overtakes_what_a_slow_reader_holds_up(team: Team) -> None:
    team.leader.pause_reading()
    for _ in range(400):
        team.worker.send(Log("info", "x" * 1000))
    team.worker.send(REQUEST)
    team.leader.resume_reading()
    await team.at_leader.until(lambda notes: len(notes.messages) == 401)
    place = next(
        at for at, message in enumerate(team.at_leader.messages) if isinstance(message, PermissionRequest)
    )
    assert place < 100, "only what the pipe and one batch hold may be ahead"
    assert [message.seq for message in team.at_leader.messages] == list(range(2, 403))


async def test_messages_of_any_size_arrive_whole(make_ends: MakeEnds) -> None:
    team = Team(make_ends(64_000_000))
    await team.start()
    sent = [
        ChatMessage(letter * size)
        for letter, size in [("a", 1), ("b", 300_000), ("c", 5_000_000), ("d", 2)]
    ]
    for message in sent:
        team.worker.send(message)
    await team.at_leader.until(lambda notes: len(notes.messages) == 4)
    assert [len(m.text) for m in team.at_leader.messages if isinstance(m, ChatMessage)] == [
        1,
        300_000,
        5_000_000,
        2,
    ]
    await team.end()


async def test_an_unread_channel_fills_up_to_its_cap_and_says_so(team: Team) -> None:
    team.leader.pause_reading()
    with pytest.raises(Overfull) as caught:
        send_many(team.worker, 2000)
    assert 1_000_000 <= caught.value.waiting < 1_010_000
    team.leader.resume_reading()
    await team.worker.drain()
    team.worker.send(Heartbeat())


async def test_drain_stops_a_producer_until_the_other_end_reads(team: Team) -> None:
    team.leader.pause_reading()
    while team.worker._writer.waiting <= HIGH_WATER:
        team.worker.send(Event(Text("x" * 1000)))
    drained = asyncio.create_task(team.worker.drain())
    await asyncio.wait([drained], timeout=0.05)
    assert not drained.done()
    team.leader.resume_reading()
    async with asyncio.timeout(5):
        await drained


async def test_drain_returns_at_once_when_little_waits(team: Team) -> None:
    team.worker.send(Event(Text("x")))
    await asyncio.wait_for(team.worker.drain(), 0.01)


async def test_flush_waits_until_everything_has_gone_out(team: Team) -> None:
    team.leader.pause_reading()
    send_many(team.worker, 200)
    flushed = asyncio.create_task(team.worker.flush())
    await asyncio.wait([flushed], timeout=0.05)
    assert not flushed.done()
    team.leader.resume_reading()
    async with asyncio.timeout(5):
        await flushed
    assert "0 bytes unsent" in repr(team.worker)


async def test_drain_is_told_when_the_channel_ends(team: Team) -> None:
    team.leader.pause_reading()
    while team.worker._writer.waiting <= HIGH_WATER:
        team.worker.send(Event(Text("x" * 1000)))
    drained = asyncio.create_task(team.worker.drain())
    await asyncio.wait([drained], timeout=0.01)
    await team.leader.aclose()
    with pytest.raises(ChannelClosed):
        await drained


async def test_an_illegal_message_is_refused_and_the_channel_lives_on(team: Team) -> None:
    with pytest.raises(LocalProtocolError):
        team.worker.send(HELLO)
    with pytest.raises(LocalProtocolError):
        team.leader.send(Event(Text("not mine")))
    team.worker.send(ChatMessage("still here"))
    await team.at_leader.until(lambda notes: notes.messages)


async def test_what_nobody_understands_is_answered_with_an_error(team: Team) -> None:
    team.worker._writer.write(b'{"type":"coffee","id":"c-1"}\n')
    await team.at_leader.until(lambda notes: notes.faults)
    await team.at_worker.until(lambda notes: isinstance(notes.messages[-1], Error))
    error = team.at_worker.messages[-1]
    assert isinstance(error, Error)
    assert (error.code, error.about) == ("unknown_type", "c-1")


async def test_garbage_is_reported_once_a_read_and_harms_nothing(team: Team) -> None:
    for _ in range(20):
        team.worker._writer.write(b"garbage\n" * 2000)
    team.worker.send(REQUEST)
    await team.at_leader.until(lambda notes: notes.messages)
    assert sum(fault.count for fault in team.at_leader.faults) == 40_000
    assert len(team.at_leader.faults) <= 60


async def test_pausing_holds_messages_back_and_resuming_delivers_them(team: Team) -> None:
    team.leader.pause_reading()
    team.leader.pause_reading()
    team.worker.send(ChatMessage("wait"))
    await asyncio.sleep(0)
    await team.leader.drain()
    assert team.at_leader.messages == []
    team.leader.resume_reading()
    team.leader.resume_reading()
    await team.at_leader.until(lambda notes: notes.messages)
