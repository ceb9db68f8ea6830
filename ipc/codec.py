"""Turns messages into lines and lines into messages, and says what is wrong with a line that is none."""

from collections.abc import Callable
from enum import StrEnum
from typing import Any, final, get_args

import msgspec

from swarm.ipc.channel import Unreadable
from swarm.ipc.errors import ErrorCode, LocalProtocolError, RemoteProtocolError, TooLong
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


class Role(StrEnum):
    """The two ends of a connection."""

    LEADER = "leader"
    WORKER = "worker"

    @property
    def peer(self) -> "Role":
        """Give the role of the other end."""
        return Role.WORKER if self is Role.LEADER else Role.LEADER


@final
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
_OPEN_ENDED = frozenset({PermissionRequest, PermissionResponse, Start})
_encode = msgspec.json.Encoder().encode
_read_header = msgspec.json.Decoder(_Header).decode
_readers: dict[Role, Callable[[bytes], AnyMessage]] = {
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


def reader(sender: Role) -> Callable[[bytes], AnyMessage]:
    """Give what reads the lines of `sender`. It raises ValueError or RecursionError, for `diagnose`.

    What it gives is still to be held against `check_limits`, unless it is a streamed message.
    """
    return _readers[sender]


def decode(line: bytes, sender: Role) -> AnyMessage | Fault:
    """Give the message in `line`, which must be one that `sender` may send at all, or what is wrong."""
    try:
        message: AnyMessage = _readers[sender](line)
        check_limits(message, line)
    except (ValueError, RecursionError, RemoteProtocolError) as error:
        return diagnose(line, sender, error)
    return message


def check_limits(message: AnyMessage, line: bytes) -> None:
    """Raise RemoteProtocolError if the id is too long or the open-ended part nests too deep."""
    if len(message.id) > MAX_ID:
        raise RemoteProtocolError("its id is too long", "invalid")
    if type(message) in _OPEN_ENDED and line.count(b"{") + line.count(b"[") > MAX_DEPTH:
        match message:
            case PermissionRequest():
                open_ended: object = message.input
            case PermissionResponse():
                open_ended = message.updated_input
            case Start():
                open_ended = message.agent
            case _:
                return
        if _exceeds_depth(open_ended):
            raise RemoteProtocolError("it nests too deep", "invalid", message.id)


def fault(problem: str, line: bytes, code: ErrorCode | None = None, message_id: str = "") -> Fault:
    """Give the report of one line that is not taken."""
    return Fault(
        problem=visible(problem),
        excerpt=excerpt(line),
        size=len(line),
        code=code,
        message_id=message_id[:MAX_ID],
    )


def diagnose(line: bytes, sender: Role, error: Exception) -> Fault:
    """Say what is wrong with a line that raised `error`. Slow, so for few lines a read only."""
    if isinstance(error, RemoteProtocolError):
        return fault(error.problem, line, error.code, error.message_id)
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
        problem = f"a message of type {header.type}, which only the {sender.peer} sends"
        return fault(problem, line, "wrong_state", message_id)
    code: ErrorCode | None = None if header.type == "error" else "invalid"
    if isinstance(error, RecursionError):
        return fault("it nests too deep", line, code, message_id)
    return fault(f"wrong fields in a message of type {header.type}: {error}", line, code, message_id)


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
