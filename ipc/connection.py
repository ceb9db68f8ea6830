"""The protocol without the pipe: stamps what goes out, checks what comes in. Does no I/O."""

import msgspec

from swarm.ipc.codec import Fault, Role, check_limits, diagnose, encode, fault, reader
from swarm.ipc.errors import LocalProtocolError, RemoteProtocolError
from swarm.ipc.faults import Arrivals
from swarm.ipc.framing import LineSplitter, Skipped
from swarm.ipc.history import SeenIds, Unacknowledged
from swarm.ipc.messages import (
    PROTOCOL_VERSION,
    STREAMED,
    Adopt,
    AnyMessage,
    Error,
    Heartbeat,
    Hello,
    Ping,
    Start,
)
from swarm.ipc.states import TRANSITIONS, State

SUPPORTED: tuple[int, ...] = (PROTOCOL_VERSION,)
"""The protocol versions that this program speaks."""

_REPLIES = 16
"""The most error replies that wait; what comes on top of a flood gets none."""
_STREAMED = frozenset(STREAMED)
_NOT_KEPT = _STREAMED | {Heartbeat, Ping}
"""What is not sent again: it holds for its moment only, and must not push out what is."""
_AGREEING = frozenset({Start, Adopt})
"""The leader's messages that say which protocol both speak from then on."""
_UNSTAMPED = b'"seq":0,"ack":0}\n'
"""How every line without numbers ends, since the numbers are the envelope's last fields."""


class Connection:
    """One end of a connection. `role` is ours; `id_prefix` makes our ids unique beyond this connection.

    Both ends begin as `state` says. `protocol` is the version agreed on, once it is. A call that raises
    and a message that is refused change nothing. Whoever has handled a message that came tells it by
    `handled`, which is the number that goes out as `ack`.
    """

    def __init__(
        self,
        role: Role,
        id_prefix: str = "",
        *,
        protocols: tuple[int, ...] = SUPPORTED,
        state: State = State.OPENING,
    ) -> None:
        self.role = role
        self.protocol: int | None = None
        self.last_id = ""
        self.duplicates = 0
        self._peer = role.peer
        self._read = reader(role.peer)
        self._protocols = protocols
        self.id_prefix = id_prefix or role.value
        self._ids = 0
        self._sent = 0
        self.handled = 0
        self._received = 0
        self._splitter = LineSplitter()
        self._unacknowledged = Unacknowledged()
        self._seen = SeenIds()
        self._replies: list[Error] = []
        self._acknowledged: list[AnyMessage] = []
        self._move(state)

    def __repr__(self) -> str:
        return f"<Connection {self.role} {self.state} sent={self._sent} handled={self.handled}>"

    def send(self, message: AnyMessage) -> bytes:
        """Give the line to write now for `message`. `last_id` is then the id it went under.

        A `start` or `adopt` is given the protocol agreed on. Raises LocalProtocolError.
        """
        after = self._state_after(message)
        seq = self._sent + 1
        message_id = message.id or self._next_id()
        stamped = msgspec.structs.replace(message, id=message_id, seq=seq, ack=self.handled)
        if type(stamped) in _AGREEING and self.protocol is not None:
            stamped = msgspec.structs.replace(stamped, protocol=self.protocol)
        line = encode(stamped)
        self._sent, self.last_id = seq, message_id
        if after is not self.state:
            self._move(after)
        if type(message) not in _NOT_KEPT:
            self._unacknowledged.add(seq, len(line), stamped)
        return line

    def repeat_hello(self) -> bytes:
        """Give the line of our hello once more, for a leader that came later; one that has it drops it."""
        return encode(next(message for message in self.unacknowledged() if type(message) is Hello))

    def prepare(self, message: AnyMessage) -> bytes:
        """Give a streamed `message` as a line without its numbers, for `stamp` when its turn has come.

        `last_id` is then its id. Raises LocalProtocolError.
        """
        self._state_after(message)
        message_id = message.id or self._next_id()
        line = encode(msgspec.structs.replace(message, id=message_id, seq=0, ack=0))
        self.last_id = message_id
        return line.removesuffix(_UNSTAMPED)

    def stamp(self, prepared: bytes) -> bytes:
        """Give the line to write now for what `prepare` gave."""
        self._sent += 1
        return b'%b"seq":%d,"ack":%d}\n' % (prepared, self._sent, self.handled)

    def unacknowledged(self) -> tuple[AnyMessage, ...]:
        """Give what the other end may not have got, to be sent again elsewhere; it keeps its ids."""
        return self._unacknowledged.messages()

    @property
    def owes_replies(self) -> bool:
        """Tell whether `take_replies` has something to give."""
        return bool(self._replies)

    def take_replies(self) -> list[Error]:
        """Give the error replies that are due to the other end, each once."""
        replies, self._replies = self._replies, []
        return replies

    def take_acknowledged(self) -> list[AnyMessage]:
        """Give the messages of ours that the other end has handled since the last look, each once."""
        acknowledged, self._acknowledged = self._acknowledged, []
        return acknowledged

    def close(self) -> None:
        """End the connection: nothing more can be sent, and what comes is dropped."""
        self._move(State.CLOSED)

    def receive_data(self, data: bytes) -> list[AnyMessage | Fault]:
        """Take bytes from the other end and give what they complete, in order.

        Messages that came before are left out. Unreadable lines of one problem are counted together.
        """
        if self.state is State.CLOSED:
            return []
        arrivals = Arrivals()
        read = self._read
        for line in self._splitter.feed(data):
            if type(line) is bytes:
                try:
                    message = read(line)
                    if self._accepts(message, line):
                        arrivals.items.append(message)
                except (ValueError, RecursionError, RemoteProtocolError) as error:
                    self._refuse(line, error, arrivals)
            else:
                arrivals.add_fault(_skipped(line))
        return arrivals.items

    def receive_eof(self) -> list[AnyMessage | Fault]:
        """Take the end of the stream, report a line that it cut off, and close."""
        if self.state is State.CLOSED:
            return []
        arrivals = Arrivals()
        for line in self._splitter.finish():
            arrivals.add_fault(_skipped(line))
        self.close()
        return arrivals.items

    def _move(self, state: State) -> None:
        self.state = state
        self._may_send = TRANSITIONS[self.role][state]
        self._may_come = TRANSITIONS[self._peer][state]

    def _state_after(self, message: AnyMessage) -> State:
        after = self._may_send.get(type(message))
        if after is None:
            raise LocalProtocolError(_refusal(self.role, message, self.state))
        return after

    def _next_id(self) -> str:
        self._ids += 1
        return f"{self.id_prefix}-{self._ids}"

    def _accepts(self, message: AnyMessage, line: bytes) -> bool:
        """Take note of `message` and tell whether it is new. Raises RemoteProtocolError."""
        is_kept = type(message) not in _STREAMED
        if is_kept:
            check_limits(message, line)
            if type(message) is Hello:
                self._meet(message)
        if 0 < message.seq <= self._received or (is_kept and message.id in self._seen):
            self._require_same(message)
            self.duplicates += 1
            return False
        after = self._may_come.get(type(message))
        if after is None:
            raise RemoteProtocolError(_refusal(self._peer, message, self.state), message_id=message.id)
        if after is not self.state or message.v not in self._protocols:
            self._negotiate(message)
            self._move(after)
        if message.seq > self._received:
            self._received = message.seq
        if is_kept and message.id:
            self._seen.add(message)
        if 0 < message.ack <= self._sent:
            self._acknowledged += self._unacknowledged.acknowledge(message.ack)
        return True

    def _meet(self, hello: Hello) -> None:
        """Begin anew with a worker that does: its numbers count from 1, and what it got is not known."""
        begins = self.state is not State.OPENING and hello.worker and hello.id not in self._seen
        if begins and self.role is Role.LEADER:
            self._received = self.handled = 0
            self._seen = SeenIds()
            self._unacknowledged = Unacknowledged()
            self._move(State.OPENING)

    def _require_same(self, message: AnyMessage) -> None:
        if message.id in self._seen and not self._seen.is_same(message):
            problem = "another message had this id, so this one is refused"
            raise RemoteProtocolError(problem, "invalid", message.id)

    def _refuse(self, line: bytes, error: Exception, arrivals: Arrivals) -> None:
        """Report a line that is not taken and owe the sender a reply. The one door for faults not ours."""
        if arrivals.is_flooded:
            arrivals.add_unexamined(len(line))
            return
        found = diagnose(line, self._peer, error)
        arrivals.add_fault(found)
        if found.code is not None and len(self._replies) < _REPLIES:
            self._replies.append(Error(code=found.code, text=found.problem, about=found.message_id))

    def _negotiate(self, message: AnyMessage) -> None:
        match message:
            case Hello():
                offered = message.protocols
            case Start() | Adopt():
                offered = (message.protocol,)
            case _:
                offered = (message.v,)
        common = set(offered) & set(self._protocols)
        if not common:
            ours = ", ".join(map(str, self._protocols))
            problem = f"no common protocol version: this end speaks {ours}"
            raise RemoteProtocolError(problem, "unsupported_version", message.id)
        self.protocol = max(common)


def _skipped(line: bytes | Skipped) -> Fault:
    if isinstance(line, bytes):
        return fault("cut off by the end of the stream", line)
    problem = "cut off by the end of the stream" if line.truncated else "longer than a line may be"
    return msgspec.structs.replace(fault(problem, line.head), size=line.size)


def _refusal(sender: Role, message: AnyMessage, state: State) -> str:
    name = type(message).__struct_config__.tag
    return f"the {sender} may send no {name} message while the connection is {state}"
