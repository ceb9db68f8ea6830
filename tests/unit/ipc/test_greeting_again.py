"""A worker that says hello again: to a leader that came later, or to one that believes to know it."""

import msgspec
import pytest

from support.wired import CHAT, HELLO, REQUEST, Pair, handled
from swarm.ipc.codec import Role
from swarm.ipc.connection import Connection
from swarm.ipc.messages import Adopt, ChatMessage, Hello, PermissionRequest, Ping, Result
from swarm.ipc.states import State

KNOWN = msgspec.structs.replace(HELLO, worker="tests", attempt=1)
ADOPT = Adopt(protocol=1, mode="plan", pid=42)


def test_the_same_hello_is_taken_once_by_each_leader() -> None:
    pair = Pair()
    pair.up(KNOWN)
    again = pair.worker.repeat_hello()
    assert pair.leader.receive_data(again) == []
    pair.leader = Connection(Role.LEADER, "later")
    [hello] = handled(pair.leader, pair.leader.receive_data(again))
    assert isinstance(hello, Hello)
    [adopt] = pair.down(ADOPT)
    assert isinstance(adopt, Adopt)
    assert pair.states() == (State.RUNNING, State.RUNNING)


@pytest.mark.parametrize("last", [CHAT, Result("succeeded")])
def test_a_worker_that_begins_anew_is_met_anew(last: ChatMessage | Result) -> None:
    pair = Pair()
    pair.up(KNOWN)
    pair.down(ADOPT)
    for message in (msgspec.structs.replace(REQUEST, id="r-1"), CHAT, last):
        pair.up(message)
    pair.down(Ping())
    pair.worker = Connection(Role.WORKER, "anew")
    assert [type(message) for message in pair.up(KNOWN)] == [Hello]
    assert pair.states() == (State.GREETED, State.GREETED)
    assert [type(message) for message in pair.down(ADOPT)] == [Adopt]
    asked = pair.up(msgspec.structs.replace(REQUEST, id="r-1"))
    assert [type(message) for message in asked] == [PermissionRequest]
    pair.down(Ping())
    assert pair.worker.unacknowledged() == ()


def test_what_was_under_way_before_is_not_taken_for_acknowledged() -> None:
    pair = Pair()
    pair.up(KNOWN)
    pair.down(ADOPT)
    pair.leader.send(CHAT)  # it is lost with the worker's mail
    pair.worker = Connection(Role.WORKER, "anew")
    pair.up(KNOWN)
    pair.down(ADOPT)
    pair.up(CHAT)
    assert CHAT.text not in [getattr(message, "text", "") for message in pair.leader.take_acknowledged()]


def test_a_worker_without_a_name_cannot_begin_anew(pair: Pair) -> None:
    other = Connection(Role.WORKER, "other")
    assert pair.leader.receive_data(other.send(HELLO)) == []
    assert pair.leader.state is State.RUNNING
