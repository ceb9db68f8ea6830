"""Everything goes through two connections, joined by the bytes that one gives to the other."""

import msgspec
import pytest

from swarm.ipc.codec import Fault, Role, encode
from swarm.ipc.connection import Connection
from swarm.ipc.errors import LocalProtocolError
from swarm.ipc.history import KEPT_MESSAGES
from swarm.ipc.messages import (
    AnyMessage,
    Cancel,
    ChatMessage,
    Error,
    Event,
    Heartbeat,
    Hello,
    Log,
    PermissionRequest,
    PermissionResponse,
    Ping,
    Preview,
    Result,
    Shutdown,
    Start,
    Text,
    Usage,
)
from swarm.ipc.states import TRANSITIONS, State

HELLO = Hello((1,), 42, "swarm", "3.11")
START = Start(1, "tests", "script", {}, "/")
REQUEST = PermissionRequest("call-1", "Bash", {"command": "ls"}, "/", Preview(title="ls"))
CHAT = ChatMessage("hi")


class Pair:
    """A leader's and a worker's connection."""

    def __init__(self, *, leader: tuple[int, ...] = (1,), worker: tuple[int, ...] = (1,)) -> None:
        self.leader = Connection(Role.LEADER, "l", protocols=leader)
        self.worker = Connection(Role.WORKER, "w", protocols=worker)

    def up(self, message: AnyMessage) -> list[AnyMessage | Fault]:
        """Send from the worker and give what the leader makes of it."""
        return self.leader.receive_data(self.worker.send(message))

    def down(self, message: AnyMessage) -> list[AnyMessage | Fault]:
        """Send from the leader and give what the worker makes of it."""
        return self.worker.receive_data(self.leader.send(message))

    def states(self) -> tuple[State, State]:
        return self.leader.state, self.worker.state


@pytest.fixture
def pair() -> Pair:
    """Give two ends that have said hello and started."""
    running = Pair()
    running.up(HELLO)
    running.down(START)
    return running


def only_fault(received: list[AnyMessage | Fault]) -> Fault:
    [found] = received
    assert isinstance(found, Fault)
    return found


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


HELLO_SENT = msgspec.structs.replace(HELLO, id="w-1", seq=1)


def test_an_illegal_message_of_theirs_is_reported_answered_and_changes_nothing() -> None:
    pair = Pair()
    pair.up(HELLO)
    before = repr(pair.leader)
    line = encode(msgspec.structs.replace(REQUEST, id="early", seq=2))
    found = only_fault(pair.leader.receive_data(line))
    assert (
        found.problem == "the worker may send no permission_request message while the connection is greeted"
    )
    assert found.message_id == "early"
    assert repr(pair.leader) == before
    assert pair.leader.take_replies() == [Error("wrong_state", found.problem, about="early")]
    assert pair.leader.take_replies() == []


def test_an_illegal_error_is_never_answered() -> None:
    connection = Connection(Role.LEADER)
    found = only_fault(connection.receive_data(b'{"type":"error","id":"e"}\n'))
    assert found.problem.startswith("wrong fields in a message of type error")
    assert not connection.owes_replies


def test_garbage_is_not_answered(pair: Pair) -> None:
    pair.leader.receive_data(b"Traceback (most recent call last):\n")
    assert not pair.leader.owes_replies


def test_replies_to_a_flood_are_bounded(pair: Pair) -> None:
    for number in range(100):
        pair.leader.receive_data(b'{"type":"coffee","id":"%d"}\n' % number)
    assert len(pair.leader.take_replies()) == 16


def test_a_reply_itself_is_a_legal_message(pair: Pair) -> None:
    pair.leader.receive_data(b'{"type":"coffee","id":"c"}\n')
    [reply] = pair.leader.take_replies()
    [received] = pair.down(reply)
    assert isinstance(received, Error)
    assert received.about == "c"
    assert not pair.worker.owes_replies


def test_garbage_between_messages_loses_nothing_else(pair: Pair) -> None:
    first, second = pair.worker.send(CHAT), pair.worker.send(Usage(cost=1.0))
    one, fault, two = pair.leader.receive_data(first + b"\xff\xfe\n" + second)
    assert isinstance(one, ChatMessage)
    assert isinstance(fault, Fault)
    assert isinstance(two, Usage)


def test_a_flood_of_garbage_in_one_read_is_one_report_with_a_count(pair: Pair) -> None:
    found = only_fault(pair.leader.receive_data(b"garbage\n" * 2000))
    assert (found.problem, found.excerpt, found.count, found.size) == ("not JSON", "garbage", 2000, 14000)


def test_a_flood_of_all_kinds_of_garbage_gives_few_reports(pair: Pair) -> None:
    kinds = [b"x\n", b"[]\n", b"\xff\n", b"{}\n", *(b'{"type":"log","level":%d}\n' % n for n in range(500))]
    message = pair.worker.send(CHAT)
    received = pair.leader.receive_data(b"".join(kinds) + message + b"".join(kinds))
    faults = [item for item in received if isinstance(item, Fault)]
    assert len(faults) <= 8
    assert sum(fault.count for fault in faults) == 2 * len(kinds)
    assert received[-1] == ChatMessage("hi", id="w-2", seq=2, ack=1)


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


@pytest.mark.parametrize("field", ["call_id", "tool", "input", "cwd", "preview", "agent"])
def test_a_request_under_a_used_id_with_other_content_is_refused(pair: Pair, field: str) -> None:
    changed: dict[str, object] = {
        "call_id": "call-2",
        "tool": "Write",
        "input": {"command": "rm -rf /"},
        "cwd": "/etc",
        "preview": Preview(title="other"),
        "agent": ("deputy",),
    }
    pair.up(msgspec.structs.replace(REQUEST, id="r-1"))
    other = msgspec.structs.replace(REQUEST, id="r-1", **{field: changed[field]})
    found = only_fault(pair.up(other))
    assert found.message_id == "r-1"
    assert pair.leader.take_replies()[0].code == "invalid"


def test_a_request_under_the_id_of_another_kind_of_message_is_refused(pair: Pair) -> None:
    pair.up(msgspec.structs.replace(CHAT, id="r-1"))
    assert only_fault(pair.up(msgspec.structs.replace(REQUEST, id="r-1"))).message_id == "r-1"


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


def test_the_end_of_the_stream_reports_a_cut_off_line_and_closes(pair: Pair) -> None:
    pair.leader.receive_data(pair.worker.send(CHAT)[:-5])
    found = only_fault(pair.leader.receive_eof())
    assert found.problem == "cut off by the end of the stream"
    assert pair.leader.state is State.CLOSED
    assert pair.leader.receive_eof() == []


def test_nothing_is_sent_or_taken_after_the_end(pair: Pair) -> None:
    line = pair.worker.send(CHAT)
    pair.leader.close()
    assert pair.leader.receive_data(line) == []
    with pytest.raises(LocalProtocolError):
        pair.leader.send(Ping())


def test_what_a_message_too_long_for_a_line_was_is_said_with_its_size(pair: Pair) -> None:
    megabyte = b"x" * 2**20
    for _ in range(20):
        assert pair.leader.receive_data(megabyte) == []
    fault, message = pair.leader.receive_data(b"\n" + pair.worker.send(CHAT))
    assert isinstance(fault, Fault)
    assert (fault.size, len(fault.excerpt)) == (20 * 2**20, 200)
    assert isinstance(message, ChatMessage)


def test_the_table_names_every_state_for_both_ends() -> None:
    for role in Role:
        assert TRANSITIONS[role].keys() == set(State)
