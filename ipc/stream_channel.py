"""A channel over any byte stream: reads fairly, bounds what waits, closes once."""

import asyncio
import logging
import os
from typing import TYPE_CHECKING

from swarm.ipc.codec import Fault
from swarm.ipc.connection import Connection
from swarm.ipc.errors import ChannelClosed, IpcError, LocalProtocolError, Overfull
from swarm.ipc.lane_writer import LaneWriter
from swarm.ipc.messages import STREAMED, AnyMessage, Ping
from swarm.ipc.states import ENDING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from swarm.ipc.bytestream import ByteStream
    from swarm.ipc.channel import Receiver
    from swarm.ipc.codec import Role

UNSENT_CAP = 64 * 1024 * 1024
HIGH_WATER = 256 * 1024
LOW_WATER = 64 * 1024
"""A producer that drains is stopped above the high mark until the low one is reached. All in bytes."""
BRIEFLY = 1
"""How long a blocking wait for an answer may take, in milliseconds."""
FLUSH_LIMIT = 0.5
"""How long a closing channel waits for the other end, in seconds."""

_STREAMED = frozenset(STREAMED)
_logger = logging.getLogger(__name__)


class StreamChannel:
    """One end of a channel over `stream`, which it owns and closes. Satisfies `channel.Channel`.

    `cap` is how many unsent bytes make `send` raise Overfull. What was read before `pause_reading` is
    still delivered. When writing fails, reading goes on for a moment, so that last words are heard.
    """

    def __init__(
        self, role: "Role", stream: "ByteStream", *, cap: int = UNSENT_CAP, id_prefix: str = ""
    ) -> None:
        self.connection = Connection(role, id_prefix or os.urandom(4).hex())
        self.bytes_read = 0
        self._stream = stream
        self._cap = cap
        self._writer = LaneWriter(stream, self.connection.stamp, self._lose_writing)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._receiver: Receiver | None = None
        self._last_words: asyncio.TimerHandle | None = None
        self._is_paused = False
        self._is_closed = False
        self._why: str | None = None

    def __repr__(self) -> str:
        state = self._why or ("reading paused" if self._is_paused else "open")
        return f"<{type(self).__name__} {self.connection!r} {state}, {self._writer.waiting} bytes unsent>"

    @property
    def is_open(self) -> bool:
        """Whether something can still be sent."""
        return self._why is None

    def open(self, receiver: "Receiver") -> None:
        """Begin to deliver to `receiver`, from the running event loop. Call once."""
        if self._loop is not None or self._is_closed:
            raise LocalProtocolError("A channel is opened once, and not after it was closed.")
        self._loop = asyncio.get_running_loop()
        self._receiver = receiver
        self._writer.attach(self._loop)
        try:
            self._stream.attach(self._loop)
            self._stream.watch_reading(self._read)
        except OSError as error:
            self._close(f"it can't be watched ({error.strerror})")

    def send(self, message: AnyMessage) -> str:
        """Queue `message` and return its id. Raises ChannelClosed, Overfull or LocalProtocolError."""
        if self._why is not None:
            raise ChannelClosed(self._why)
        if self._loop is None:
            raise LocalProtocolError("A channel is opened before anything is sent on it.")
        if self._writer.waiting >= self._cap:
            raise Overfull(self._writer.waiting, self._cap)
        if type(message) in _STREAMED:
            self._writer.write_streamed(self.connection.prepare(message))
            return self.connection.last_id
        if type(message) in ENDING:
            self._writer.put_streamed_first()
        self._writer.write(self.connection.send(message))
        if self._why is not None:
            raise ChannelClosed(self._why)
        return self.connection.last_id

    def greet_again(self) -> None:
        """Send the hello of this end once more, which nobody has answered yet. Raises ChannelClosed."""
        if self._why is not None:
            raise ChannelClosed(self._why)
        self._writer.write(self.connection.repeat_hello())

    def wait_briefly(self) -> None:
        """Deliver what comes within BRIEFLY without a turn of the event loop, which blocks as long.

        For who has just asked what is answered at once as a rule. Not to be called by a receiver.
        """
        if self._is_paused or self._is_closed or self._loop is None:
            return
        if self._stream.wait_readable(BRIEFLY):
            self._read()

    async def drain(self) -> None:
        """Return at once below the high mark, else when the low one is reached. Raises ChannelClosed."""
        await self._writer.wait_until(HIGH_WATER if self._writer.waiting <= HIGH_WATER else LOW_WATER)

    async def flush(self) -> None:
        """Wait until all that is queued has gone out, however slowly it is taken. Raises ChannelClosed."""
        self._writer.flush()
        await self._writer.wait_until(0)

    def pause_reading(self) -> None:
        """Stop reading, so that the other end is slowed by its full pipe."""
        if not self._is_paused and not self._is_closed:
            self._is_paused = True
            self._stream.watch_reading(None)

    def resume_reading(self) -> None:
        """Read again after `pause_reading`."""
        if self._is_paused and not self._is_closed:
            self._is_paused = False
            self._stream.watch_reading(self._read)

    async def aclose(self) -> None:
        """Send what is queued if the other end takes it within FLUSH_LIMIT, then close. Idempotent."""
        try:
            if self._why is None and self._loop is not None:
                self._writer.flush()
                async with asyncio.timeout(FLUSH_LIMIT):
                    await self._writer.wait_until(0)
        except (TimeoutError, ChannelClosed):
            _logger.debug("what was unsent is dropped: %r", self)
        finally:
            self._close("this end closed it")

    def abandon(self, why: str) -> None:
        """Close at once; what is unsent is dropped. Idempotent."""
        self._close(why)

    def _read(self) -> None:
        try:
            data = self._stream.read()
        except BlockingIOError:
            return
        except OSError as error:
            self._close(f"reading from it failed ({error.strerror})")
            return
        if data:
            self.bytes_read += len(data)
            self._deliver(self.connection.receive_data(data))
            if self.connection.owes_replies:
                self._reply()
        else:
            self._deliver(self.connection.receive_eof())
            self._close("the other end closed it")

    def _deliver(self, items: "Sequence[AnyMessage | Fault]") -> None:
        receiver = self._receiver
        connection = self.connection
        assert receiver is not None
        try:
            for message in connection.take_acknowledged():
                receiver.acknowledged(message)
            for item in items:
                if self._is_closed:
                    return
                if type(item) is Fault:
                    receiver.unreadable(item)
                else:
                    receiver.message(item)
                    if item.seq > connection.handled:
                        connection.handled = item.seq
                    if type(item) in ENDING:
                        self._acknowledge_end()
        except Exception as error:
            _logger.exception("the receiver of %r failed", self)
            self._close(f"this end failed on what came ({error!r})")

    def _acknowledge_end(self) -> None:
        """Send a ping for its `ack`: who has told its last waits to hear that it was handled."""
        try:
            self.send(Ping())
        except IpcError as failure:
            _logger.debug("the end of a work is not acknowledged: %s", failure)

    def _reply(self) -> None:
        """Send the error replies that are due, unless the other end is slow to read."""
        for error in self.connection.take_replies():
            if self._why is None and self._writer.waiting < HIGH_WATER:
                try:
                    self.send(error)
                except IpcError as failure:
                    _logger.debug("an error reply is dropped: %s", failure)

    def _lose_writing(self, why: str) -> None:
        self._why = why
        assert self._loop is not None
        self._last_words = self._loop.call_later(FLUSH_LIMIT, self._close, why)

    def _close(self, why: str) -> None:
        if self._is_closed:
            return
        self._is_closed = True
        self._why = self._why or why
        if self._last_words is not None:
            self._last_words.cancel()
        self.connection.close()
        self._writer.stop(self._why)
        self._stream.close()
        if self._receiver is not None:
            try:
                self._receiver.closed(self._why)
            except Exception:
                _logger.exception("the receiver of %r failed", self)
