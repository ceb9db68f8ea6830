"""What a worker's journal of tool calls holds (`<session>/workers/<name>/calls.jsonl`), and its reader.

A call has a line before its tool begins and one after it has ended. A line that is torn or is none is
passed over. It tells what a worker did while no leader listened; its content is the worker's word only.
"""

import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import msgspec

CALL_LOG = "calls.jsonl"
READ_CAP = 64 * 1024 * 1024
"""How many bytes at the end of a journal are read; what is older counts as unknown."""
_READ_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK


class CallLine(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type"):
    """What both lines of a call say.

    `call` is unique within an attempt. `request` is the wire id of the request that asked for it, empty
    for a call that its tool allowed by itself. `step` is the agent's own name of what the call does.
    """

    call: str
    attempt: int
    request: str = ""
    step: str = ""


class CallBegan(CallLine, frozen=True, kw_only=True, omit_defaults=True, tag="began"):
    """A tool is about to begin. `digest` is that of the content that was asked for."""

    tool: str
    digest: str = ""


class CallEnded(CallLine, frozen=True, kw_only=True, omit_defaults=True, tag="ended"):
    """A tool has ended. `output` is the start of its text, and empty for a call without a step."""

    outcome: Literal["succeeded", "failed", "denied", "interrupted"]
    output: str = ""


@dataclass(frozen=True, slots=True)
class CallRecord:
    """One call that began. Without an end it was interrupted, and may have had effects."""

    began: CallBegan
    ended: CallEnded | None = None


@dataclass(frozen=True, slots=True)
class CallHistory:
    """The calls of a journal in the order of their beginnings.

    `is_whole` tells that the journal was read from its start and that it could be read at all.
    """

    calls: tuple[CallRecord, ...] = ()
    is_whole: bool = True
    requests: dict[str, CallRecord] = field(default_factory=dict)

    def of_request(self, wire_id: str) -> CallRecord | None:
        """Give the call that began for a request, if one did."""
        return self.requests.get(wire_id)


def read_calls(path: str | os.PathLike[str], cap: int = READ_CAP) -> CallHistory:
    """Read a journal, at most the last `cap` bytes. One that is not there is empty. Raises nothing."""
    try:
        descriptor = os.open(path, _READ_FLAGS)
    except FileNotFoundError:
        return CallHistory()
    except OSError:
        return CallHistory(is_whole=False)
    try:
        data, is_whole = _tail(descriptor, cap)
    except OSError:
        return CallHistory(is_whole=False)
    finally:
        os.close(descriptor)
    lines = data.split(b"\n")
    return _history(lines if is_whole else lines[1:], is_whole)


def call_log_of(session: str | os.PathLike[str], worker: str) -> Path:
    """Give where the journal of a session's worker is."""
    return Path(session) / "workers" / worker / CALL_LOG


_decode = msgspec.json.Decoder(CallBegan | CallEnded).decode


def _tail(descriptor: int, cap: int) -> tuple[bytes, bool]:
    """Give at most the last `cap` bytes of a file, and whether that is all of it. Raises OSError."""
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        raise OSError("it is no file")
    place = max(0, status.st_size - cap)
    is_whole = not place
    pieces = []
    while place < status.st_size and (piece := os.pread(descriptor, status.st_size - place, place)):
        pieces.append(piece)
        place += len(piece)
    return b"".join(pieces), is_whole


def _history(lines: Iterable[bytes], is_whole: bool) -> CallHistory:
    calls: dict[tuple[int, str], CallRecord] = {}
    for line in lines:
        try:
            entry = _decode(line)
        except (msgspec.MsgspecError, ValueError, RecursionError):
            continue
        key = (entry.attempt, entry.call)
        if isinstance(entry, CallBegan):
            calls.setdefault(key, CallRecord(entry))
        elif key in calls:
            calls[key] = CallRecord(calls[key].began, entry)
    records = tuple(calls.values())
    return CallHistory(
        records, is_whole, {record.began.request: record for record in records if record.began.request}
    )
