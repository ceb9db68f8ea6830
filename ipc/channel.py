"""What a channel is: one duplex way of typed messages, whatever carries it."""

from typing import Protocol

import msgspec

from swarm.ipc.messages import AnyMessage


class Unreadable(msgspec.Struct, frozen=True, kw_only=True):
    """Something arrived that is no message; it was skipped.

    `count` is how many lines this stands for, `size` their bytes in all. `excerpt` is at most 200
    characters of the first, already escaped so that it can be shown. `message_id` is the id of the
    message at fault where one could be read, so that an error reply can name it.
    """

    problem: str
    excerpt: str
    count: int = 1
    size: int = 0
    message_id: str = ""


class Receiver(Protocol):
    """The side that handles what a channel brings. Called in order, never concurrently, must not block."""

    def message(self, message: AnyMessage) -> None:
        """Handle one message."""

    def unreadable(self, report: Unreadable) -> None:
        """Take note of input that was skipped."""

    def acknowledged(self, message: AnyMessage) -> None:
        """Take note that the other end has handled `message`, which is never a streamed one."""

    def closed(self, why: str) -> None:
        """Take note that no more will come. Called exactly once."""


class Channel(Protocol):
    """One end of a duplex way of messages."""

    def open(self, receiver: Receiver) -> None:
        """Begin to deliver to `receiver`, from the running event loop. Call once."""

    def send(self, message: AnyMessage) -> str:
        """Queue `message`, give it its envelope, and return its id (that of `message` if it has one).

        Never blocks. Streamed messages (`messages.STREAMED`) are gathered for up to 16 ms and go
        behind all others. Raises ChannelClosed, Overfull (too much waits unsent) or LocalProtocolError.
        """

    def wait_briefly(self) -> None:
        """Deliver what comes within a millisecond without a turn of the event loop.

        For who has just asked what is answered at once as a rule: it spares both ends of the wait the
        way through the loop and a task. Not to be called by a receiver.
        """

    async def drain(self) -> None:
        """Wait until what is queued is below the low-water mark. Raises ChannelClosed."""

    async def flush(self) -> None:
        """Wait until all that is queued has gone out, however slowly it is taken. Raises ChannelClosed."""

    def pause_reading(self) -> None:
        """Stop delivering, so that the other end is slowed by its full pipe."""

    def resume_reading(self) -> None:
        """Deliver again after `pause_reading`."""

    async def aclose(self) -> None:
        """Send what is queued if the other end takes it within 500 ms, then close. Idempotent."""
