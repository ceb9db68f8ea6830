"""The worker's way to send. Keeps which request asked for which call; never decides what is sent.

Sending never raises: when the channel is gone, its end is told to the runtime by the channel itself.
"""

from typing import Literal

import msgspec

from swarm.ipc.channel import Channel
from swarm.ipc.errors import ChannelClosed, Overfull
from swarm.ipc.messages import AnyMessage, Event, EventPart, Log, PermissionRequest, PermissionWithdrawn

Level = Literal["debug", "info", "warning", "error"]


class Outbox:
    """All that leaves the worker goes through here."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._requests: dict[str, PermissionRequest] = {}
        self._left_out = 0

    def send(self, message: PermissionRequest | PermissionWithdrawn) -> str:
        """Send what a strategy asks and remember its id. Raises IpcError, so that nothing waits in vain."""
        message_id = self._channel.send(message)
        if isinstance(message, PermissionRequest):
            self._requests[message.call_id] = msgspec.structs.replace(message, id=message_id)
        return message_id

    def wait_briefly(self) -> None:
        """Let an answer come in that takes no longer than a millisecond."""
        self._channel.wait_briefly()

    def call_of(self, request_id: str) -> str:
        """Give the call that a request asked for; empty if there is none under way."""
        return next((call for call, asked in self._requests.items() if asked.id == request_id), "")

    def request_of(self, call_id: str) -> PermissionRequest | None:
        """Give the request that asked for a call; None if none did."""
        return self._requests.get(call_id)

    def forget(self, call_id: str) -> None:
        """Forget the request of a call that has ended."""
        self._requests.pop(call_id, None)

    def post(self, message: AnyMessage) -> str:
        """Send a message and give its id; empty if it could not be sent. What is left out is counted."""
        try:
            self._tell_what_was_left_out()
            return self._channel.send(message)
        except ChannelClosed:
            return ""
        except Overfull:
            self._left_out += 1
            return ""

    def event(self, part: EventPart) -> None:
        """Send an event without waiting."""
        self.post(Event(event=part))

    async def emit(self, part: EventPart) -> None:
        """Send an event, and wait while the leader reads too slowly."""
        self.event(part)
        await self.settle()

    def log(self, level: Level, text: str) -> None:
        """Send a line for the log without waiting."""
        self.post(Log(level=level, text=text))

    async def settle(self) -> None:
        """Wait until little waits to be sent, or the channel is closed."""
        try:
            await self._channel.drain()
        except ChannelClosed:
            return

    def _tell_what_was_left_out(self) -> None:
        if not self._left_out:
            return
        text = f"{self._left_out} messages were left out, because the leader did not read."
        self._channel.send(Log(level="warning", text=text))
        self._left_out = 0
