"""Everything goes through two connections, joined by the bytes that one gives to the other."""

import msgspec

from support.wired import CHAT, HELLO, REQUEST, Pair, only_fault
from swarm.ipc.codec import Fault, Role, encode
from swarm.ipc.connection import Connection
from swarm.ipc.messages import ChatMessage, Error, Usage
from swarm.ipc.states import State


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


def test_the_end_of_the_stream_reports_a_cut_off_line_and_closes(pair: Pair) -> None:
    pair.leader.receive_data(pair.worker.send(CHAT)[:-5])
    found = only_fault(pair.leader.receive_eof())
    assert found.problem == "cut off by the end of the stream"
    assert pair.leader.state is State.CLOSED
    assert pair.leader.receive_eof() == []


def test_what_a_message_too_long_for_a_line_was_is_said_with_its_size(pair: Pair) -> None:
    megabyte = b"x" * 2**20
    for _ in range(20):
        assert pair.leader.receive_data(megabyte) == []
    fault, message = pair.leader.receive_data(b"\n" + pair.worker.send(CHAT))
    assert isinstance(fault, Fault)
    assert (fault.size, len(fault.excerpt)) == (20 * 2**20, 200)
    assert isinstance(message, ChatMessage)
