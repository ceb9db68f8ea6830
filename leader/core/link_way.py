"""The receiver of one of the channels that a worker is reached on, one after the other. Decides nothing."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from swarm.ipc.channel import Unreadable
    from swarm.ipc.messages import AnyMessage
    from swarm.ipc.stream_channel import StreamChannel
    from swarm.leader.core.link import Link


class Way:
    """The receiver of one of a link's channels; what comes when the next is in use is dropped."""

    def __init__(self, link: "Link", channel: "StreamChannel") -> None:
        self._link = link
        self._channel = channel

    def message(self, message: "AnyMessage") -> None:
        """Pass on one message."""
        if not self._link.is_over(self._channel):
            self._link.message(message)

    def unreadable(self, report: "Unreadable") -> None:
        """Pass on that input was skipped."""
        if not self._link.is_over(self._channel):
            self._link.unreadable(report)

    def acknowledged(self, message: "AnyMessage") -> None:
        """Pass on that the worker has taken an answer, whichever way it went."""
        self._link.acknowledged(message)

    def closed(self, why: str) -> None:
        """Pass on that nothing more will come this way."""
        if not self._link.is_over(self._channel):
            self._link.closed(why)
