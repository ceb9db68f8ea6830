"""Channels without a process: two ends in one event loop, over the same bytes and rules as over pipes."""

from typing import TYPE_CHECKING

from swarm.ipc.bytestream import READ_SIZE
from swarm.ipc.codec import Role
from swarm.ipc.stream_channel import UNSENT_CAP, StreamChannel

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable

CAPACITY = 64 * 1024
"""How many bytes one way holds, as much as a pipe on Linux."""


def channel_pair(*, cap: int = UNSENT_CAP) -> tuple[StreamChannel, StreamChannel]:
    """Give the leader's end and the worker's end of one channel, for in-process teammates and tests."""
    leader_stream, worker_stream = memory_streams()
    return (
        StreamChannel(Role.LEADER, leader_stream, cap=cap),
        StreamChannel(Role.WORKER, worker_stream, cap=cap),
    )


def memory_streams() -> "tuple[MemoryStream, MemoryStream]":
    """Give the two ends of a duplex way of bytes in memory."""
    there, back = MemoryPipe(), MemoryPipe()
    return MemoryStream(back, there), MemoryStream(there, back)


class MemoryPipe:
    """One way of bytes with a pipe's capacity and manners."""

    def __init__(self) -> None:
        self._held = bytearray()
        self._has_writer = True
        self._has_reader = True
        self.reader = Watch(self._can_read)
        self.writer = Watch(self._can_write)

    def read(self) -> bytes:
        """Give what is there; nothing at the end. Raises BlockingIOError."""
        if not self._can_read():
            raise BlockingIOError
        data = bytes(self._held[:READ_SIZE])
        del self._held[:READ_SIZE]
        self.writer.wake()
        return data

    def write(self, data: bytes | memoryview) -> int:
        """Take what there is room for. Raises BlockingIOError and BrokenPipeError."""
        if not self._has_reader:
            raise BrokenPipeError
        if not self._can_write():
            raise BlockingIOError
        taken = data[: CAPACITY - len(self._held)]
        self._held += taken
        self.reader.wake()
        return len(taken)

    def drop_writer(self) -> None:
        """End what can be read after what is held."""
        self._has_writer = False
        self.reader.wake()

    def drop_reader(self) -> None:
        """Let writing fail from now on."""
        self._has_reader = False
        self.writer.wake()

    def _can_read(self) -> bool:
        return bool(self._held) or not self._has_writer

    def _can_write(self) -> bool:
        return len(self._held) < CAPACITY or not self._has_reader


class Watch:
    """Calls back from the loop, again and again, for as long as `is_ready` says so."""

    def __init__(self, is_ready: "Callable[[], bool]") -> None:
        self._is_ready = is_ready
        self._callback: Callable[[], object] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._is_scheduled = False

    def attach(self, loop: "asyncio.AbstractEventLoop") -> None:
        """Call back from `loop`."""
        self._loop = loop

    def set(self, callback: "Callable[[], object] | None") -> None:
        """Call `callback` from now on, or nothing."""
        self._callback = callback
        self.wake()

    def wake(self) -> None:
        """Look again whether it is ready."""
        if self._callback and self._loop and not self._is_scheduled and self._is_ready():
            self._is_scheduled = True
            self._loop.call_soon(self._run)

    def _run(self) -> None:
        self._is_scheduled = False
        if self._callback and self._is_ready():
            self._callback()
            self.wake()


class MemoryStream:
    """One end of two pipes in memory."""

    def __init__(self, incoming: MemoryPipe, outgoing: MemoryPipe) -> None:
        self._incoming = incoming
        self._outgoing = outgoing

    def attach(self, loop: "asyncio.AbstractEventLoop") -> None:
        """Get ready to be watched by `loop`."""
        self._incoming.reader.attach(loop)
        self._outgoing.writer.attach(loop)

    def read(self) -> bytes:
        """Give at most READ_SIZE bytes."""
        return self._incoming.read()

    def wait_readable(self, milliseconds: int) -> bool:
        """Tell that nothing comes while one waits: the other end lives in the same event loop."""
        return False

    def write(self, data: bytes | memoryview) -> int:
        """Take what there is room for."""
        return self._outgoing.write(data)

    def watch_reading(self, callback: "Callable[[], object] | None") -> None:
        """Call `callback` when there is something to read; None ends that."""
        self._incoming.reader.set(callback)

    def watch_writing(self, callback: "Callable[[], object] | None") -> None:
        """Call `callback` when there is room to write; None ends that."""
        self._outgoing.writer.set(callback)

    def close(self) -> None:
        """End both ways. Idempotent."""
        self._incoming.reader.set(None)
        self._outgoing.writer.set(None)
        self._incoming.drop_reader()
        self._outgoing.drop_writer()
