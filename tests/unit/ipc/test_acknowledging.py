"""An acknowledgement tells what was handled: a message whose receiver has returned, and nothing else."""

import asyncio

import pytest

from support.receiving import Notes
from support.wired import CHAT, REQUEST, Pair, Team
from swarm.ipc.memory import channel_pair
from swarm.ipc.messages import (
    AnyMessage,
    ChatMessage,
    Event,
    Heartbeat,
    PermissionRequest,
    PermissionResponse,
    Ping,
    Result,
    Text,
)

ANSWER = PermissionResponse("r-1", "00", "deny", "settings-deny")


class Answering(Notes):
    """Answers a request while it is still handling it."""

    def __init__(self, team: Team) -> None:
        super().__init__(self.answer)
        self.team = team

    def answer(self, message: AnyMessage) -> None:
        if isinstance(message, PermissionRequest):
            self.team.leader.send(ANSWER)


async def test_an_answer_sent_from_within_does_not_acknowledge_its_request(team: Team) -> None:
    team.leader._receiver = Answering(team)
    number = team.worker.connection._sent + 1
    team.worker.send(REQUEST)
    await team.at_worker.until(lambda notes: len(notes.messages) == 2)
    assert team.at_worker.messages[-1].ack == number - 1
    assert team.leader.connection.handled == number
    assert [type(message) for message in team.worker.connection.unacknowledged()] == [PermissionRequest]
    team.leader.send(Ping())
    await team.at_worker.until(lambda notes: isinstance(notes.handled[-1], PermissionRequest))
    assert team.worker.connection.unacknowledged() == ()


async def test_what_the_receiver_failed_on_is_never_acknowledged() -> None:
    leader, worker = channel_pair()
    team = Team((leader, worker))
    await team.start()

    def fail(message: AnyMessage) -> None:
        raise ArithmeticError

    handled = leader.connection.handled
    leader._receiver = Notes(fail)
    worker.send(REQUEST)
    await team.at_worker.until_closed()
    assert leader.connection.handled == handled
    assert [type(message) for message in worker.connection.unacknowledged()] == [PermissionRequest]


async def test_streamed_messages_are_acknowledged_with_the_others(team: Team) -> None:
    team.worker.send(CHAT)
    team.worker.send(Event(Text("hi")))
    await team.at_leader.until(lambda notes: len(notes.messages) == 2)
    assert team.leader.connection.handled == team.worker.connection._sent


async def test_the_last_word_of_a_worker_is_acknowledged_at_once(team: Team) -> None:
    team.worker.send(Result("succeeded"))
    await team.at_worker.until(lambda notes: any(isinstance(done, Result) for done in notes.handled))
    assert [type(message) for message in team.at_worker.messages[1:]] == [Ping]


@pytest.mark.parametrize("passing", [Heartbeat(), Event(Text("hi"))])
def test_what_holds_for_its_moment_only_is_not_kept(pair: Pair, passing: Heartbeat | Event) -> None:
    pair.down(Ping())
    for _ in range(2000):
        pair.worker.send(passing)
    pair.worker.send(CHAT)
    assert [type(message) for message in pair.worker.unacknowledged()] == [ChatMessage]


async def test_a_message_is_told_to_be_handled_just_once(team: Team) -> None:
    team.worker.send(CHAT)
    await team.at_leader.until(lambda notes: notes.messages)
    for _ in range(3):
        team.leader.send(Ping())
    await team.at_worker.until(lambda notes: len(notes.messages) == 4)
    await asyncio.sleep(0)
    assert [type(message) for message in team.at_worker.handled][-1:] == [ChatMessage]
    assert len([message for message in team.at_worker.handled if isinstance(message, ChatMessage)]) == 1
