"""What waits to be written, in two lanes. Does no I/O.

The wire lane holds lines with their numbers, in order. The streamed lane holds lines without; each gets
its number when it moves to the wire, which is when nothing else waits.
"""

from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

BATCH = 16 * 1024
"""About how many bytes of the streamed lane move at once, so that others never wait long behind it."""
_JOINED = 64 * 1024
"""About how many bytes one write is given."""

Chunk = bytes | memoryview


class Outbound:
    """The two lanes of one channel. `stamp` gives a streamed line its numbers. Sizes in bytes."""

    def __init__(self, stamp: "Callable[[bytes], bytes]") -> None:
        self._stamp = stamp
        self._wire: deque[Chunk] = deque()
        self._streamed: deque[bytes] = deque()
        self._wire_size = 0
        self.streamed_size = 0

    @property
    def waiting(self) -> int:
        """Give the size of all that waits."""
        return self._wire_size + self.streamed_size

    @property
    def is_wire_free(self) -> bool:
        """Tell whether a line may be written at once without overtaking another."""
        return not self._wire

    def add(self, line: Chunk) -> None:
        """Put a numbered line behind the others that have numbers."""
        self._wire.append(line)
        self._wire_size += len(line)

    def add_streamed(self, prepared: bytes) -> None:
        """Put a line without numbers behind all else."""
        self._streamed.append(prepared)
        self.streamed_size += len(prepared)

    def take(self) -> Chunk:
        """Give what is to be written next, or nothing if nothing waits."""
        if not self._wire:
            self._promote(BATCH)
        pieces: list[Chunk] = []
        size = 0
        while self._wire and size < _JOINED:
            pieces.append(self._wire.popleft())
            size += len(pieces[-1])
        chunk = pieces[0] if len(pieces) == 1 else b"".join(pieces)
        self._wire_size -= len(chunk)
        return chunk

    def put_back(self, rest: Chunk) -> None:
        """Return the part of the taken chunk that could not be written."""
        self._wire.appendleft(rest)
        self._wire_size += len(rest)

    def promote_all(self) -> None:
        """Number all that is streamed, so that what is added now goes behind it."""
        self._promote(self.streamed_size)

    def clear(self) -> None:
        """Forget everything."""
        self._wire.clear()
        self._streamed.clear()
        self._wire_size = self.streamed_size = 0

    def _promote(self, size: int) -> None:
        moved = 0
        while self._streamed and moved < size:
            prepared = self._streamed.popleft()
            moved += len(prepared)
            self.add(self._stamp(prepared))
        self.streamed_size -= moved
