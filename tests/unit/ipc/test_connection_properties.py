import json
from itertools import pairwise
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from swarm.ipc.codec import SENT_BY, Fault, Role, decode, encode
from swarm.ipc.connection import Connection
from swarm.ipc.errors import LocalProtocolError
from swarm.ipc.messages import AnyMessage, Error, Hello, Message
from swarm.ipc.states import TRANSITIONS, State

GOLDEN = (Path(__file__).parents[2] / "golden" / "messages.jsonl").read_bytes().splitlines()


def samples(role: Role) -> list[AnyMessage]:
    """Give one message of every type that `role` sends, without an envelope."""
    found = {}
    for line in GOLDEN:
        bare = {name: value for name, value in json.loads(line).items() if name not in ("id", "seq", "ack")}
        message = decode(json.dumps(bare).encode(), role)
        if not isinstance(message, Fault):
            found[type(message)] = message
    assert found.keys() == set(SENT_BY[role])
    return list(found.values())


FROM = {role: samples(role) for role in Role}
RUNNING_MESSAGES = [
    message
    for message in FROM[Role.WORKER]
    if TRANSITIONS[Role.WORKER][State.RUNNING].get(type(message)) is State.RUNNING
]
garbage = st.one_of(
    st.binary(max_size=60),
    st.sampled_from(
        [b"{", b"[]", b"\xff", b'{"type":"coffee"}', b'{"type":"ping"}', b'{"type":"usage","cost":[]}']
    ),
).map(lambda line: line.replace(b"\n", b" "))


def running(role: Role) -> Connection:
    return Connection(role, state=State.RUNNING)


def without_envelope(messages: list[AnyMessage | Fault]) -> list[object]:
    return [type(message) for message in messages if not isinstance(message, Fault)]


@given(
    st.lists(st.sampled_from(RUNNING_MESSAGES), max_size=12), st.lists(st.integers(0, 5000), max_size=12)
)
@settings(max_examples=80)
def test_any_cut_of_the_stream_gives_the_same_messages(sent: list[AnyMessage], cuts: list[int]) -> None:
    worker = running(Role.WORKER)
    stream = b"".join(worker.send(message) for message in sent)
    edges = [0, *sorted(cut % (len(stream) + 1) for cut in cuts), len(stream)]
    cut_up = running(Role.LEADER)
    received = [
        message for start, end in pairwise(edges) for message in cut_up.receive_data(stream[start:end])
    ]
    assert received == running(Role.LEADER).receive_data(stream)
    assert without_envelope(received) == [type(message) for message in sent]


@given(st.lists(st.one_of(st.sampled_from(RUNNING_MESSAGES), garbage), max_size=15))
@settings(max_examples=150)
def test_any_garbage_between_lines_loses_nothing_else(items: list[AnyMessage | bytes]) -> None:
    worker, leader = running(Role.WORKER), running(Role.LEADER)
    stream = b"".join(item + b"\n" if isinstance(item, bytes) else worker.send(item) for item in items)
    received = leader.receive_data(b"\n" + stream)
    assert without_envelope(received) == [type(item) for item in items if isinstance(item, Message)]
    blank = sum(not item.removesuffix(b"\r") for item in items if isinstance(item, bytes))
    counted = sum(fault.count for fault in received if isinstance(fault, Fault))
    assert counted == sum(isinstance(item, bytes) for item in items) - blank


@given(st.lists(st.tuples(st.booleans(), st.sampled_from(range(12))), max_size=40))
@settings(max_examples=150)
def test_two_connections_that_obey_the_table_never_refuse_each_other(steps: list[tuple[bool, int]]) -> None:
    """Either end sends what its own state permits, at once or while the other's messages are under way."""
    ends = {role: Connection(role, role.value) for role in Role}
    under_way: dict[Role, bytes] = dict.fromkeys(Role, b"")
    for leader_acts, choice in steps:
        role = Role.LEADER if leader_acts else Role.WORKER
        if choice == 11:
            arrived, under_way[role.peer] = under_way[role.peer], b""
            received = ends[role].receive_data(arrived)
            assert not [item for item in received if isinstance(item, Fault)]
            continue
        message = FROM[role][choice % len(FROM[role])]
        if type(message) in TRANSITIONS[role][ends[role].state]:
            under_way[role] += ends[role].send(message)
    assert not any(end.owes_replies for end in ends.values())


@given(st.sampled_from(Role), st.sampled_from(State), st.data())
@settings(max_examples=200)
def test_sending_follows_the_table_or_changes_nothing(
    role: Role, state: State, data: st.DataObject
) -> None:
    connection = Connection(role, state=state)
    message = data.draw(st.sampled_from(FROM[Role.LEADER] + FROM[Role.WORKER]))
    before = repr(connection)
    expected = TRANSITIONS[role][state].get(type(message))
    try:
        connection.send(message)
    except LocalProtocolError:
        assert expected is None
        assert repr(connection) == before
        assert connection.unacknowledged() == ()
    else:
        assert connection.state is expected


@given(st.sampled_from(Role), st.sampled_from(State), st.data())
@settings(max_examples=200)
def test_receiving_follows_the_table_or_changes_nothing(
    role: Role, state: State, data: st.DataObject
) -> None:
    connection = Connection(role, state=state)
    message = data.draw(st.sampled_from(FROM[role.peer]))
    before = repr(connection)
    expected = TRANSITIONS[role.peer][state].get(type(message))
    if isinstance(message, Hello) and role is Role.LEADER:
        expected = State.GREETED  # of a worker with a name, which begins anew
    received = connection.receive_data(encode(message))
    if state is State.CLOSED:
        assert received == []
    elif expected is None:
        assert isinstance(received[0], Fault)
        assert repr(connection) == before
        assert connection.owes_replies is not isinstance(message, Error)
    else:
        assert received == [message]
        assert connection.state is expected
