"""What carries the bytes of a channel: something readable and writable that never blocks."""

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable

READ_SIZE = 16 * 1024
"""The most bytes per read, so that one flooding worker can't hold up the others."""


class ByteStream(Protocol):
    """A duplex way of bytes. `read` and `write` raise BlockingIOError when they can't go on now."""

    def attach(self, loop: "asyncio.AbstractEventLoop") -> None:
        """Get ready to be watched by `loop`. Called once, before all else. Raises OSError."""

    def read(self) -> bytes:
        """Give at most READ_SIZE bytes, or none at the end of the stream. Raises OSError."""

    def wait_readable(self, milliseconds: int) -> bool:
        """Block until `read` can go on, for so long at most, and tell whether it can."""

    def write(self, data: bytes | memoryview) -> int:
        """Take the start of `data` and give how many bytes that were. Raises OSError."""

    def watch_reading(self, callback: "Callable[[], object] | None") -> None:
        """Call `callback` from the loop whenever `read` can go on; None ends that."""

    def watch_writing(self, callback: "Callable[[], object] | None") -> None:
        """Call `callback` from the loop whenever `write` can go on; None ends that."""

    def close(self) -> None:
        """End both ways and both watches. Idempotent."""
