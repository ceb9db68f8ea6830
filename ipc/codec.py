"""Turns messages into lines and lines into messages, and says what is wrong with a line that is none."""

from enum import StrEnum
from typing import Any, get_args

import msgspec

from swarm.ipc.channel import Unreadable
from swarm.ipc.errors import ErrorCode, LocalProtocolError, TooLong
from swarm.ipc.escape import excerpt, visible
from swarm.ipc.messages import (
    LINE_CAP,
    AnyMessage,
    FromLeader,
    FromWorker,
    Message,
    PermissionRequest,
    PermissionResponse,
    Start,
)

MAX_DEPTH = 100
"""How deep the open-ended parts of a message may nest."""
MAX_ID = 200
"""The longest message id in characters."""
UNEXAMINED = "not looked into"
"""The problem of a line that nobody looked into."""


class Role(StrEnum):
    """The two ends of a connection."""

    LEADER = "leader"
    WORKER = "worker"

    @property
    def peer(self) -> "Role":
        """Give the role of the other end."""
        return Role.WORKER if self is Role.LEADER else Role.LEADER


class Fault(Unreadable, frozen=True, kw_only=True):
    """An unreadable line with what an error reply needs. `code` is empty where no reply makes sense."""

    code: ErrorCode | None = None


class _Header(msgspec.Struct):
    type: Any = None
    id: Any = None


SENT_BY: dict[Role, tuple[type[Message], ...]] = {
    Role.LEADER: get_args(FromLeader),
    Role.WORKER: get_args(FromWorker),
}
_tags = {role: {kind.__struct_config__.tag for kind in kinds} for role, kinds in SENT_BY.items()}
_open_ended = (PermissionRequest, PermissionResponse, Start)
_encode = msgspec.json.Encoder().encode
_read_header = msgspec.json.Decoder(_Header).decode
_readers = {
    Role.LEADER: msgspec.json.Decoder(FromLeader).decode,
    Role.WORKER: msgspec.json.Decoder(FromWorker).decode,
}


def encode(message: Message) -> bytes:
    """Give the line of `message` with its newline. Raises LocalProtocolError if it can't be one line."""
    try:
        line = _encode(message)
    except (TypeError, ValueError, RecursionError) as error:
        name = type(message).__struct_config__.tag
        raise LocalProtocolError(f"This {name} message can't be written as JSON: {error}.") from error
    if len(line) > LINE_CAP:
        raise TooLong(len(line), LINE_CAP)
    return line + b"\n"


def decode(line: bytes, sender: Role, *, examine: bool = True) -> AnyMessage | Fault:
    """Give the message in `line`, which must be one that `sender` may send at all, or what is wrong.

    Without `examine` a wrong line is not looked into, which is many times faster.
    """
    try:
        message: AnyMessage = _readers[sender](line)
    except (ValueError, RecursionError) as error:
        return _diagnosis(line, sender, error) if examine else unexamined(line)
    if len(message.id) > MAX_ID:
        return fault("its id is too long", line)
    if isinstance(message, _open_ended) and _is_too_deep(message, line):
        return fault("it nests too deep", line, "invalid", message.id)
    return message


def fault(problem: str, line: bytes, code: ErrorCode | None = None, message_id: str = "") -> Fault:
    """Give the report of one line that is not taken."""
    return Fault(
        problem=visible(problem), excerpt=excerpt(line), size=len(line), code=code, message_id=message_id
    )


def unexamined(line: bytes) -> Fault:
    """Give the report of a line that is not looked into, since enough others were."""
    return Fault(problem=UNEXAMINED, excerpt="", size=len(line))


def _diagnosis(line: bytes, sender: Role, error: Exception) -> Fault:
    """Say what is wrong with a line that the typed decoder refused. Slow, so for few lines a read only."""
    try:
        line.decode()
        header = _read_header(line)
    except UnicodeDecodeError:
        return fault("not UTF-8", line)
    except RecursionError:
        return fault("it nests too deep", line)
    except msgspec.ValidationError:
        return fault("not a JSON object", line)
    except msgspec.DecodeError:
        return fault("not JSON", line)
    return _wrong_message(line, sender, error, header)


def _wrong_message(line: bytes, sender: Role, error: Exception, header: _Header) -> Fault:
    message_id = header.id if isinstance(header.id, str) and len(header.id) <= MAX_ID else ""
    if not isinstance(header.type, str) or header.type not in _tags[Role.LEADER] | _tags[Role.WORKER]:
        return fault("unknown message type", line, "unknown_type", message_id)
    if header.type not in _tags[sender]:
        problem = f"a {header.type} message, which only the {sender.peer} sends"
        return fault(problem, line, "wrong_state", message_id)
    code: ErrorCode | None = None if header.type == "error" else "invalid"
    if isinstance(error, RecursionError):
        return fault("it nests too deep", line, code, message_id)
    return fault(f"a {header.type} message with wrong fields: {error}", line, code, message_id)


def _is_too_deep(message: PermissionRequest | PermissionResponse | Start, line: bytes) -> bool:
    if line.count(b"{") + line.count(b"[") <= MAX_DEPTH:
        return False
    match message:
        case PermissionRequest():
            return _exceeds_depth(message.input)
        case PermissionResponse():
            return _exceeds_depth(message.updated_input)
        case Start():
            return _exceeds_depth(message.agent)


def _exceeds_depth(value: object) -> bool:
    """Go down level by level, so that no nesting can exhaust the stack."""
    level = [value]
    for _ in range(MAX_DEPTH):
        level = [inner for outer in level for inner in _inside(outer)]
        if not level:
            return False
    return True


def _inside(value: object) -> list[object]:
    if isinstance(value, dict):
        return [inner for inner in value.values() if isinstance(inner, dict | list)]
    if isinstance(value, list):
        return [inner for inner in value if isinstance(inner, dict | list)]
    return []
