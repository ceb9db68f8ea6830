import json
from pathlib import Path

import msgspec
import pytest

from swarm.ipc.codec import MAX_DEPTH, MAX_ID, SENT_BY, Fault, Role, decode, encode
from swarm.ipc.errors import LocalProtocolError, TooLong
from swarm.ipc.messages import (
    LINE_CAP,
    AnyMessage,
    Event,
    Log,
    Message,
    PermissionRequest,
    Preview,
    Start,
    Text,
)

GOLDEN = [
    line
    for line in (Path(__file__).parents[2] / "golden" / "messages.jsonl").read_bytes().splitlines()
    if line
]
EVERY_KIND: set[type[Message]] = {kind for kinds in SENT_BY.values() for kind in kinds}


def senders_of(line: bytes) -> list[Role]:
    name = json.loads(line)["type"]
    return [role for role in Role if name in {kind.__struct_config__.tag for kind in SENT_BY[role]}]


def problem(line: bytes, sender: Role = Role.WORKER) -> Fault:
    found = decode(line, sender)
    assert isinstance(found, Fault)
    return found


def request(**input: object) -> PermissionRequest:
    return PermissionRequest("c1", "Bash", input, "/", Preview(title="t"))


@pytest.mark.parametrize("line", GOLDEN, ids=lambda line: str(json.loads(line)["type"]))
def test_each_golden_line_is_read_and_written_back_the_same(line: bytes) -> None:
    for sender in senders_of(line):
        message = decode(line, sender)
        assert isinstance(message, Message)
        assert encode(message) == line + b"\n"


def test_every_message_type_has_a_golden_line() -> None:
    golden = {type(decode(line, sender)) for line in GOLDEN for sender in senders_of(line)}
    assert golden == EVERY_KIND


def test_golden_lines_fill_every_field() -> None:
    for line in GOLDEN:
        message = decode(line, senders_of(line)[0])
        names = set(type(message).__struct_fields__)
        assert names | {"type"} == json.loads(line).keys()


@pytest.mark.parametrize("kind", sorted(EVERY_KIND, key=str))
def test_the_numbers_end_every_line(kind: type[Message]) -> None:
    assert kind.__struct_encode_fields__[-4:] == ("v", "id", "seq", "ack")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (b"\xff\xfe{}", "not UTF-8"),
        (b'{"type":"log","level":"info","text":"\xc3"}', "not UTF-8"),
        (b"hello", "not JSON"),
        (b'{"type":"heartbeat"', "not JSON"),
        (b'{"type":"heartbeat"} {}', "not JSON"),
        (b'{"type":"log","level":"info","text":"\\ud800"}', "not JSON"),
        (b"[1,2]", "not a JSON object"),
        (b"17", "not a JSON object"),
        (b"null", "not a JSON object"),
        (b"{}", "unknown message type"),
        (b'{"type":17}', "unknown message type"),
        (b'{"type":"make_coffee"}', "unknown message type"),
        (b'{"type":"start"}', "a message of type start, which only the leader sends"),
        (b'{"type":"log","level":"info"}', "wrong fields in a message of type log: "),
        (b'{"type":"log","level":"loud","text":""}', "wrong fields in a message of type log: "),
        (b'{"type":"heartbeat","seq":1.5}', "wrong fields in a message of type heartbeat: "),
        (
            b'{"type":"heartbeat","seq":' + b"9" * 5000 + b"}",
            "wrong fields in a message of type heartbeat: ",
        ),
        (b'{"new":' + b"[" * 100_000, "it nests too deep"),
        (b'{"type":"heartbeat","new":' + b"[" * 100_000, "it nests too deep"),
    ],
)
def test_what_is_wrong_with_a_line_is_told_apart(line: bytes, expected: str) -> None:
    found = problem(line)
    assert found.problem.startswith(expected)
    assert found.size == len(line)


def test_a_fault_names_the_message_so_that_a_reply_can() -> None:
    found = problem(b'{"type":"make_coffee","id":"m-7"}')
    assert (found.message_id, found.code) == ("m-7", "unknown_type")
    found = problem(b'{"type":"usage","id":"m-8","cost":"much"}')
    assert (found.message_id, found.code) == ("m-8", "invalid")
    found = problem(b'{"type":"cancel","id":"m-9","why":""}')
    assert (found.message_id, found.code) == ("m-9", "wrong_state")


@pytest.mark.parametrize("line", [b"hello", b"[]", b'{"type":"error","id":"e-1"}', b"\xff"])
def test_no_reply_is_due_to_garbage_nor_to_a_broken_error(line: bytes) -> None:
    assert problem(line).code is None


def test_the_excerpt_of_hostile_input_is_harmless() -> None:
    found = problem(b'{"type":"\x1b[2J\xe2\x80\xae"}')
    assert found.excerpt == '{"type":"\\x1b[2J\\u202e"}'
    assert found.problem.isprintable()


def test_hostile_values_are_not_repeated_raw_in_the_problem() -> None:
    found = problem('{"type":"log","level":"\u202e\\u001b","text":""}'.encode())
    assert found.problem.isprintable()
    assert len(found.problem) <= 200


def test_an_endless_id_is_refused() -> None:
    found = problem(msgspec.json.encode({"type": "heartbeat", "id": "x" * (MAX_ID + 1)}))
    assert found.problem == "its id is too long"
    assert found.message_id == ""


@pytest.mark.parametrize("kind", ["list", "object"])
def test_an_input_that_nests_too_deep_is_refused(kind: str) -> None:
    def nested(depth: int) -> object:
        value: object = 1
        for _ in range(depth):
            value = [value] if kind == "list" else {"a": value}
        return value

    assert isinstance(decode(encode(request(x=nested(MAX_DEPTH - 2))), Role.WORKER), PermissionRequest)
    assert problem(encode(request(x=nested(MAX_DEPTH + 1)))).problem == "it nests too deep"


def test_many_brackets_that_do_not_nest_are_fine() -> None:
    message = request(content="[{" * 1000, rows=[[1]] * 1000)
    assert decode(encode(message), Role.WORKER) == message


def test_unknown_fields_are_ignored() -> None:
    assert decode(b'{"type":"heartbeat","since":"version 2"}', Role.WORKER) == decode(
        b'{"type":"heartbeat"}', Role.WORKER
    )


@pytest.mark.parametrize(
    "message",
    [
        Log("info", "\ud800"),
        Start(1, "w", "script", {"made_of": object()}, "/"),
    ],
)
def test_a_message_that_is_no_json_is_a_fault_of_ours(message: AnyMessage) -> None:
    with pytest.raises(LocalProtocolError, match=r"can't be written as JSON"):
        encode(message)


def test_a_message_longer_than_a_line_is_refused_before_it_is_sent() -> None:
    with pytest.raises(TooLong) as caught:
        encode(Event(Text("x" * LINE_CAP)))
    assert str(LINE_CAP) in str(caught.value)
