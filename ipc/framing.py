"""Cuts a stream of bytes into lines and bounds what one line may cost. Does no I/O and reads no JSON."""

import msgspec

from swarm.ipc.messages import LINE_CAP

_BOM = b"\xef\xbb\xbf"
_HEAD = 800
"""Bytes kept of a skipped line, enough for its excerpt."""


class Skipped(msgspec.Struct, frozen=True):
    """A line that is not given: longer than the cap, or cut off by the end of the stream."""

    head: bytes
    size: int
    truncated: bool = False


Piece = bytes | Skipped


class LineSplitter:
    """Takes bytes in any portions and gives whole lines, without their ends and without empty ones.

    Holds at most `cap` bytes and one portion. Complete lines inside a portion are cut in C; the rest of
    a portion waits in one growing buffer, so that a long line costs linear time.
    """

    def __init__(self, cap: int = LINE_CAP) -> None:
        self._cap = cap
        self._waiting = bytearray()
        self._size = 0
        self._ends_in_return = False
        self._start: bytes | None = b""

    def feed(self, data: bytes) -> list[Piece]:
        """Give the lines that `data` completes, in order, and a report for each that was too long."""
        if self._start is not None:
            data = self._past_mark(data)
        lines: list[Piece] = [*data.split(b"\n")]
        tail = lines.pop()
        is_joined = bool(lines and self._size)
        if is_joined:
            self._keep(lines[0])
            lines[0] = self._taken()
        if b"\r" in data:
            lines[is_joined:] = [_without_return(line) for line in lines[is_joined:]]
        if len(data) > self._cap:
            lines = [self._capped(line) for line in lines]
        if tail:
            self._keep(tail)
        return [line for line in lines if line]

    def finish(self) -> list[Piece]:
        """Give a report of the line that the end of the stream cut off, if there is one."""
        if self._start:
            self._keep(self._start)
        if not self._size:
            return []
        report = Skipped(bytes(self._waiting[:_HEAD]), self._size, truncated=True)
        self._taken()
        return [report]

    def _past_mark(self, data: bytes) -> bytes:
        """Give what follows a byte order mark at the start; nothing while it may still be one."""
        data = (self._start or b"") + data
        if len(data) < len(_BOM) and _BOM.startswith(data):
            self._start = data
            return b""
        self._start = None
        return data.removeprefix(_BOM)

    def _keep(self, data: Piece) -> None:
        assert isinstance(data, bytes)
        room = max(0, _HEAD - len(self._waiting)) if self._is_over() else len(data)
        self._waiting += data[:room]
        self._size += len(data)
        self._ends_in_return = data.endswith(b"\r") if data else self._ends_in_return
        if self._is_over():
            del self._waiting[_HEAD:]

    def _is_over(self) -> bool:
        return self._size > self._cap + 1  # one more for a "\r" that the newline may follow

    def _taken(self) -> Piece:
        line: Piece = bytes(self._waiting)
        if self._is_over():
            size = self._size - self._ends_in_return
            line = Skipped(bytes(self._waiting[:size]), size)
        self._waiting = bytearray()
        self._size = 0
        return self._capped(_without_return(line))

    def _capped(self, line: Piece) -> Piece:
        if isinstance(line, bytes) and len(line) > self._cap:
            return Skipped(line[:_HEAD], len(line))
        return line


def _without_return(line: Piece) -> Piece:
    return line.removesuffix(b"\r") if isinstance(line, bytes) else line
