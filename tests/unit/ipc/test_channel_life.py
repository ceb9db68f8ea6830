"""How a channel begins and ends, over pipes and in memory alike."""

import asyncio
import os

import pytest

from support.receiving import Notes
from support.wired import HELLO, MakeEnds, Team, texts
from swarm.ipc.errors import ChannelClosed, LocalProtocolError
from swarm.ipc.messages import AnyMessage, ChatMessage, Event, Heartbeat, Log, Text


def open_fds() -> set[int]:
    return {int(name) for name in os.listdir("/proc/self/fd")}


async def test_closing_one_end_closes_the_other_once(team: Team) -> None:
    await team.worker.aclose()
    await team.worker.aclose()
    assert await team.at_leader.until_closed() == "the other end closed it"
    await team.leader.aclose()
    assert team.at_worker.ends == ["this end closed it"]
    assert team.at_leader.ends == ["the other end closed it"]


async def test_closing_sends_what_is_queued(team: Team) -> None:
    for number in range(100):
        team.worker.send(Event(Text(str(number))))
    await team.worker.aclose()
    await team.at_leader.until_closed()
    assert len(texts(team.at_leader.messages)) == 100


async def test_closing_gives_up_on_an_end_that_never_reads(team: Team) -> None:
    team.leader.pause_reading()
    team.worker.send(ChatMessage("x" * 500_000))
    loop = asyncio.get_running_loop()
    began = loop.time()
    await team.worker.aclose()
    assert 0.4 < loop.time() - began < 2


async def test_nothing_can_be_sent_after_the_end(team: Team) -> None:
    await team.worker.aclose()
    with pytest.raises(ChannelClosed, match="this end closed it"):
        team.worker.send(Heartbeat())
    with pytest.raises(ChannelClosed):
        await team.worker.drain()


async def test_an_end_that_reads_no_more_is_noticed_when_something_is_sent(team: Team) -> None:
    team.leader._stream.close()
    with pytest.raises(ChannelClosed, match="the other end reads no more"):
        team.worker.send(ChatMessage("anyone?"))
    assert await team.at_worker.until_closed()
    assert len(team.at_worker.ends) == 1


async def test_a_channel_is_opened_before_use_and_only_once(make_ends: MakeEnds) -> None:
    leader, worker = make_ends(1000)
    with pytest.raises(LocalProtocolError):
        worker.send(HELLO)
    worker.open(Notes())
    with pytest.raises(LocalProtocolError):
        worker.open(Notes())
    await worker.aclose()
    await leader.aclose()


async def test_a_receiver_that_fails_ends_its_channel_and_nothing_else(
    make_ends: MakeEnds, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(message: AnyMessage) -> None:
        raise ValueError("broken receiver")

    leader, worker = make_ends(1000)
    at_leader, at_worker = Notes(fail), Notes()
    leader.open(at_leader)
    worker.open(at_worker)
    worker.send(HELLO)
    assert "broken receiver" in await at_leader.until_closed()
    assert await at_worker.until_closed()
    assert "the receiver of" in caplog.text
    await worker.aclose()


async def test_a_receiver_may_close_its_channel_from_within(make_ends: MakeEnds) -> None:
    leader, worker = make_ends(1000)
    at_leader = Notes(lambda message: leader._close("enough"))
    leader.open(at_leader)
    worker.open(Notes())
    worker.send(HELLO)
    worker.send(Log("info", "unheard"))
    await at_leader.until_closed()
    assert len(at_leader.messages) == 1
    await worker.aclose()


async def test_no_descriptor_is_left_behind(make_ends: MakeEnds) -> None:
    before = open_fds()
    team = Team(make_ends(1000))
    await team.start()
    await team.leader.aclose()
    await team.at_worker.until_closed()
    never_opened = make_ends(1000)
    for end in never_opened:
        await end.aclose()
    assert open_fds() == before
