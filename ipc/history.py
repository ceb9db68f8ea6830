"""What a connection remembers, all of it bounded: messages not acknowledged and ids seen."""

from collections import deque

import msgspec

from swarm.ipc.messages import AnyMessage, PermissionRequest

KEPT_MESSAGES = 1024
KEPT_BYTES = 32 * 1024 * 1024
SEEN_IDS = 4096

_content = msgspec.json.Encoder(order="sorted").encode


class Unacknowledged:
    """Sent messages in order until the other end has acknowledged them. Forgets the oldest when full."""

    def __init__(self) -> None:
        self._sent: deque[tuple[int, int, AnyMessage]] = deque()
        self._bytes = 0

    def add(self, seq: int, size: int, message: AnyMessage) -> None:
        """Keep `message`, which was sent as number `seq` in `size` bytes."""
        self._sent.append((seq, size, message))
        self._bytes += size
        while len(self._sent) > KEPT_MESSAGES or self._bytes > KEPT_BYTES:
            self._bytes -= self._sent.popleft()[1]

    def acknowledge(self, seq: int) -> list[AnyMessage]:
        """Forget all messages up to number `seq`, and give them, oldest first."""
        acknowledged = []
        while self._sent and self._sent[0][0] <= seq:
            _, size, message = self._sent.popleft()
            self._bytes -= size
            acknowledged.append(message)
        return acknowledged

    def messages(self) -> tuple[AnyMessage, ...]:
        """Give what is kept, oldest first."""
        return tuple(message for _, _, message in self._sent)


class SeenIds:
    """The ids of the last messages, each with a hash of what a permission request asked."""

    def __init__(self) -> None:
        self._hashes: dict[str, int] = {}
        self._order: deque[str] = deque()

    def __contains__(self, message_id: str) -> bool:
        return message_id in self._hashes

    def add(self, message: AnyMessage) -> None:
        """Remember that `message`, whose id was not seen before, has come."""
        self._hashes[message.id] = _content_hash(message)
        self._order.append(message.id)
        if len(self._order) > SEEN_IDS:
            del self._hashes[self._order.popleft()]

    def is_same(self, message: AnyMessage) -> bool:
        """Tell whether the message seen under this id asked the same. True where both asked nothing."""
        return self._hashes[message.id] == _content_hash(message)


def _content_hash(message: AnyMessage) -> int:
    if type(message) is not PermissionRequest:
        return 0
    return hash(_content(msgspec.structs.replace(message, seq=0, ack=0)))
