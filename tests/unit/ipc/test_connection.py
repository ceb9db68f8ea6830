"""Everything goes through two connections, joined by the bytes that one gives to the other."""

import msgspec
import pytest

from support.wired import CHAT, HELLO, REQUEST, START, Pair, only_fault
from swarm.ipc.codec import Role, encode
from swarm.ipc.errors import LocalProtocolError
from swarm.ipc.messages import (
    AnyMessage,
    Cancel,
    ChatMessage,
    Error,
    Event,
    PermissionResponse,
    Ping,
    Result,
    Shutdown,
    Start,
    Text,
)
from swarm.ipc.states import TRANSITIONS, State

HELLO_SENT = msgspec.structs.replace(HELLO, id="w-1", seq=1)


def test_hello_start_and_result_move_both_ends() -> None:
    pair = Pair()
    pair.up(HELLO)
    assert pair.states() == (State.GREETED, State.GREETED)
    pair.down(START)
    assert pair.states() == (State.RUNNING, State.RUNNING)
    pair.up(REQUEST)
    assert pair.states() == (State.RUNNING, State.RUNNING)
    pair.up(Result("succeeded"))
    assert pair.states() == (State.ENDED, State.ENDED)


def test_messages_arrive_as_they_were_sent_with_an_envelope(pair: Pair) -> None:
    [first] = pair.up(CHAT)
    [second] = pair.up(CHAT)
    assert first == ChatMessage("hi", id="w-2", seq=2, ack=1)
    assert second == ChatMessage("hi", id="w-3", seq=3, ack=1)
    [down] = pair.down(CHAT)
    assert down == ChatMessage("hi", id="l-2", seq=2, ack=3)


def test_a_message_that_has_an_id_keeps_it(pair: Pair) -> None:
    [received] = pair.up(msgspec.structs.replace(CHAT, id="mine"))
    assert isinstance(received, ChatMessage)
    assert received.id == pair.worker.last_id == "mine"


def test_a_streamed_message_is_numbered_when_its_turn_comes(pair: Pair) -> None:
    prepared = pair.worker.prepare(Event(Text("later")))
    event_id = pair.worker.last_id
    overtaking = pair.worker.send(CHAT)
    received = pair.leader.receive_data(overtaking + pair.worker.stamp(prepared))
    assert received == [
        ChatMessage("hi", id="w-3", seq=2, ack=1),
        Event(Text("later"), id=event_id, seq=3, ack=1),
    ]


@pytest.mark.parametrize("message", [REQUEST, HELLO, Result("failed"), Event(Text("x")), START, Ping()])
def test_an_illegal_message_of_ours_raises_and_changes_nothing(message: AnyMessage) -> None:
    pair = Pair()
    pair.up(HELLO)
    before = repr(pair.worker)
    with pytest.raises(LocalProtocolError):
        pair.worker.send(message)
    assert repr(pair.worker) == before
    assert pair.worker.unacknowledged() == (HELLO_SENT,)


def test_the_highest_common_version_is_agreed_on() -> None:
    pair = Pair(leader=(1, 2, 3), worker=(1, 2))
    pair.up(msgspec.structs.replace(HELLO, protocols=(1, 2)))
    [start] = pair.down(START)
    assert isinstance(start, Start)
    assert start.protocol == pair.leader.protocol == pair.worker.protocol == 2


def test_a_worker_without_a_common_version_is_told_so_and_may_try_again() -> None:
    pair = Pair()
    found = only_fault(pair.up(msgspec.structs.replace(HELLO, protocols=(7, 8), id="h")))
    assert found.problem == "no common protocol version: this end speaks 1"
    assert pair.leader.take_replies()[0] == Error("unsupported_version", found.problem, about="h")
    assert pair.leader.state is State.OPENING


def test_a_start_in_an_unknown_version_is_refused() -> None:
    pair = Pair()
    pair.up(HELLO)
    found = only_fault(pair.worker.receive_data(encode(msgspec.structs.replace(START, protocol=9, id="s"))))
    assert pair.worker.take_replies()[0].code == "unsupported_version"
    assert found.message_id == "s"
    assert pair.worker.state is State.GREETED


def test_a_message_of_an_unknown_version_is_refused(pair: Pair) -> None:
    only_fault(pair.up(msgspec.structs.replace(CHAT, v=9)))
    assert pair.leader.take_replies()[0].code == "unsupported_version"


def test_the_leader_may_answer_across_a_result_on_the_way(pair: Pair) -> None:
    pair.worker.send(Result("succeeded"))
    assert pair.worker.state is State.ENDED
    [answer] = pair.down(PermissionResponse("r", "d", "deny", "settings-deny"))
    [cancel] = pair.down(Cancel("late"))
    assert isinstance(answer, PermissionResponse)
    assert isinstance(cancel, Cancel)


def test_a_shutdown_may_come_before_hello() -> None:
    pair = Pair()
    [received] = pair.down(Shutdown("never mind", 1.0))
    assert isinstance(received, Shutdown)


def test_nothing_is_sent_or_taken_after_the_end(pair: Pair) -> None:
    line = pair.worker.send(CHAT)
    pair.leader.close()
    assert pair.leader.receive_data(line) == []
    with pytest.raises(LocalProtocolError):
        pair.leader.send(Ping())


def test_the_table_names_every_state_for_both_ends() -> None:
    for role in Role:
        assert TRANSITIONS[role].keys() == set(State)
