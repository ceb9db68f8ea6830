"""Everything goes through two connections, joined by the bytes that one gives to the other."""

import msgspec
import pytest

from support.wired import CHAT, HELLO, REQUEST, Pair, only_fault
from swarm.ipc.codec import Role, encode
from swarm.ipc.connection import Connection
from swarm.ipc.history import KEPT_MESSAGES
from swarm.ipc.messages import ChatMessage, Event, Heartbeat, Log, PermissionRequest, Ping, Preview, Text
from swarm.ipc.states import State


def test_a_duplicate_is_dropped_by_its_number_and_by_its_id(pair: Pair) -> None:
    line = pair.worker.send(CHAT)
    assert len(pair.leader.receive_data(line + line)) == 1
    again = encode(ChatMessage("hi", id="w-2", seq=3))
    assert pair.leader.receive_data(again) == []
    assert pair.leader.duplicates == 2


def test_a_duplicate_hello_is_no_fault() -> None:
    pair = Pair()
    hello = pair.worker.send(HELLO)
    pair.leader.receive_data(hello)
    assert pair.leader.receive_data(hello) == []


def test_messages_without_id_and_number_are_all_taken(pair: Pair) -> None:
    assert len(pair.leader.receive_data(b'{"type":"heartbeat"}\n' * 3)) == 3


def test_a_request_sent_again_unchanged_is_dropped(pair: Pair) -> None:
    pair.up(msgspec.structs.replace(REQUEST, id="r-1"))
    assert pair.up(msgspec.structs.replace(REQUEST, id="r-1")) == []
    assert not pair.leader.owes_replies


@pytest.mark.parametrize("field", ["call_id", "tool", "input", "cwd", "preview", "agent", "interrupted"])
def test_a_request_under_a_used_id_with_other_content_is_refused(pair: Pair, field: str) -> None:
    changed: dict[str, object] = {
        "call_id": "call-2",
        "tool": "Write",
        "input": {"command": "rm -rf /"},
        "cwd": "/etc",
        "preview": Preview(title="other"),
        "agent": ("deputy",),
        "interrupted": True,
    }
    pair.up(msgspec.structs.replace(REQUEST, id="r-1"))
    other = msgspec.structs.replace(REQUEST, id="r-1", **{field: changed[field]})
    found = only_fault(pair.up(other))
    assert found.message_id == "r-1"
    assert pair.leader.take_replies()[0].code == "invalid"


def test_a_request_under_the_id_of_another_kind_of_message_is_refused(pair: Pair) -> None:
    pair.up(msgspec.structs.replace(CHAT, id="r-1"))
    assert only_fault(pair.up(msgspec.structs.replace(REQUEST, id="r-1"))).message_id == "r-1"


def test_what_is_not_acknowledged_is_kept_to_be_sent_again(pair: Pair) -> None:
    pair.worker.send(REQUEST)
    pair.worker.send(Event(Text("streamed")))
    pair.worker.send(Log("info", "streamed"))
    kept = pair.worker.unacknowledged()
    assert [type(message) for message in kept] == [PermissionRequest]
    assert kept[0].id == "w-2"


def test_an_acknowledgement_ends_the_keeping(pair: Pair) -> None:
    pair.up(REQUEST)
    pair.down(Ping())
    assert pair.worker.unacknowledged() == ()
    pair.up(Heartbeat())
    assert pair.leader.unacknowledged() == ()


def test_an_acknowledgement_of_what_was_never_sent_counts_for_nothing(pair: Pair) -> None:
    pair.worker.send(REQUEST)
    pair.worker.receive_data(encode(Ping(ack=1000)))
    assert len(pair.worker.unacknowledged()) == 1


def test_the_keeping_is_bounded(pair: Pair) -> None:
    for _ in range(KEPT_MESSAGES + 10):
        pair.worker.send(CHAT)
    assert len(pair.worker.unacknowledged()) == KEPT_MESSAGES


def test_what_is_sent_again_elsewhere_has_the_same_id(pair: Pair) -> None:
    pair.up(REQUEST)
    elsewhere = Connection(Role.WORKER, "w2", state=State.RUNNING)
    [kept] = [message for message in pair.worker.unacknowledged() if isinstance(message, PermissionRequest)]
    elsewhere.send(kept)
    assert elsewhere.last_id == kept.id
