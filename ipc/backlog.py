"""What a worker has to say while there is no way to its leader: kept in order and bounded. Does no I/O."""

from collections import deque

import msgspec

from swarm.ipc.codec import encode
from swarm.ipc.errors import LocalProtocolError
from swarm.ipc.history import KEPT_BYTES, KEPT_MESSAGES
from swarm.ipc.messages import STREAMED, AnyMessage, Error, Heartbeat, Hello, Log, PermissionRequest, Ping

STREAMED_CAP = 1024 * 1024
"""How many bytes of streamed messages are kept; the oldest go first."""
_STREAMED = frozenset(STREAMED)
_PASSING = frozenset({Hello, Heartbeat, Ping, Error, PermissionRequest})
"""What is not kept: it is about the way itself, or whoever asked sends it again if it still waits."""


class Backlog:
    """Messages with their ids, in the order in which they are to be sent."""

    def __init__(self) -> None:
        self._lasting = _Lane(KEPT_MESSAGES, KEPT_BYTES)
        self._streamed = _Lane(KEPT_MESSAGES * 16, STREAMED_CAP)
        self._number = 0

    def __repr__(self) -> str:
        return f"<Backlog {len(self._lasting.items)} kept, {len(self._streamed.items)} streamed>"

    def add(self, message: AnyMessage) -> None:
        """Keep `message` behind the others, if it is one that is kept."""
        if type(message) in _PASSING:
            return
        try:
            size = len(encode(message))
        except LocalProtocolError:  # it could not be sent on any way
            return
        self._number += 1
        lane = self._streamed if type(message) in _STREAMED else self._lasting
        lane.add(_Kept(self._number, size, message))

    def take(self) -> list[AnyMessage]:
        """Give all messages in order and forget them; a line for the log first, if some were dropped."""
        kept = sorted([*self._lasting.items, *self._streamed.items], key=lambda item: item.number)
        dropped = self._lasting.dropped + self._streamed.dropped
        self._lasting.clear()
        self._streamed.clear()
        messages = [item.message for item in kept]
        return [_left_out(dropped), *messages] if dropped else messages


class _Kept(msgspec.Struct, frozen=True):
    number: int
    size: int
    message: AnyMessage


class _Lane:
    """Messages of one kind. Drops the oldest when full."""

    def __init__(self, most: int, cap: int) -> None:
        self.items: deque[_Kept] = deque()
        self.dropped = 0
        self._most = most
        self._cap = cap
        self._size = 0

    def add(self, item: _Kept) -> None:
        self.items.append(item)
        self._size += item.size
        while len(self.items) > self._most or self._size > self._cap:
            self._size -= self.items.popleft().size
            self.dropped += 1

    def clear(self) -> None:
        self.items.clear()
        self._size = self.dropped = 0


def _left_out(count: int) -> Log:
    return Log(level="warning", text=f"{count} messages were left out while there was no leader.")
