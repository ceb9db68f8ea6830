"""Writes lines to a byte stream: at once where it can, the streamed ones gathered and behind."""

import asyncio
from typing import TYPE_CHECKING

from swarm.ipc.errors import ChannelClosed
from swarm.ipc.outbound import BATCH, Chunk, Outbound

if TYPE_CHECKING:
    from collections.abc import Callable

    from swarm.ipc.bytestream import ByteStream

GATHER = 0.016
"""How long streamed messages are gathered, in seconds."""
_CHUNKS_AT_ONCE = 4
"""How many chunks are written before the loop gets its turn."""


class LaneWriter:
    """The sending half of a channel. `stamp` numbers a streamed line, `on_lost` hears why it failed."""

    def __init__(
        self, stream: "ByteStream", stamp: "Callable[[bytes], bytes]", on_lost: "Callable[[str], None]"
    ) -> None:
        self._stream = stream
        self._outbound = Outbound(stamp)
        self._on_lost = on_lost
        self._loop: asyncio.AbstractEventLoop | None = None
        self._gathering: asyncio.TimerHandle | None = None
        self._is_watching = False
        self._stopped: str | None = None
        self._waiters: list[tuple[int, asyncio.Future[None]]] = []

    @property
    def waiting(self) -> int:
        """Give how many bytes wait."""
        return self._outbound.waiting

    def attach(self, loop: asyncio.AbstractEventLoop) -> None:
        """Use `loop` from now on."""
        self._loop = loop

    def write(self, line: bytes) -> None:
        """Write a numbered line now, or as soon as the other end has room."""
        if self._outbound.is_wire_free:
            self._write(line)
            return
        self._outbound.add(line)
        if not self._is_watching:
            self.flush()

    def write_streamed(self, prepared: bytes) -> None:
        """Write a line without numbers within GATHER, behind all that have some."""
        self._outbound.add_streamed(prepared)
        if self._is_watching:
            return
        if self._outbound.streamed_size >= BATCH:
            self.flush()
        elif self._gathering is None and self._loop is not None:
            self._gathering = self._loop.call_later(GATHER, self.flush)

    def put_streamed_first(self) -> None:
        """Let what is streamed so far go ahead of what is written next."""
        self._outbound.promote_all()

    def flush(self) -> None:
        """Write what waits as far as the other end takes it now; the rest follows by itself."""
        if self._gathering is not None:
            self._gathering.cancel()
            self._gathering = None
        for _ in range(_CHUNKS_AT_ONCE):
            chunk = self._outbound.take()
            if not chunk:
                self._watch(False)
                break
            if not self._write(chunk):
                break
        else:
            self._watch(True)
        self._wake()

    async def wait_until(self, limit: int) -> None:
        """Wait until at most `limit` bytes wait. Raises ChannelClosed."""
        if self._stopped is not None:
            raise ChannelClosed(self._stopped)
        if self._outbound.waiting <= limit:
            return
        waiter = asyncio.get_running_loop().create_future()
        self._waiters.append((limit, waiter))
        await waiter

    def stop(self, why: str) -> None:
        """Forget what waits and write no more. Idempotent."""
        if self._stopped is not None:
            return
        self._stopped = why
        self._outbound.clear()
        self._watch(False)
        if self._gathering is not None:
            self._gathering.cancel()
        waiters, self._waiters = self._waiters, []
        for _, waiter in waiters:
            if not waiter.done():
                waiter.set_exception(ChannelClosed(why))

    def _write(self, chunk: Chunk) -> bool:
        """Write `chunk` and tell whether all of it went."""
        try:
            written = self._stream.write(chunk)
        except BlockingIOError:
            written = 0
        except OSError as error:
            self._lose(error)
            return False
        if written == len(chunk):
            return True
        self._outbound.put_back(memoryview(chunk)[written:])
        self._watch(True)
        return False

    def _lose(self, error: OSError) -> None:
        left = isinstance(error, BrokenPipeError | ConnectionResetError)
        why = "the other end reads no more" if left else f"writing to it failed ({error.strerror})"
        self.stop(why)
        self._on_lost(why)

    def _watch(self, is_wanted: bool) -> None:
        if is_wanted != self._is_watching:
            self._is_watching = is_wanted
            self._stream.watch_writing(self.flush if is_wanted else None)

    def _wake(self) -> None:
        if not self._waiters:
            return
        waiting = self._outbound.waiting
        for limit, waiter in self._waiters:
            if waiting <= limit and not waiter.done():
                waiter.set_result(None)
        self._waiters = [pair for pair in self._waiters if not pair[1].done()]
