"""Leaders for a worker whose calls a test makes itself, and the book that outlives every one of them."""

from dataclasses import dataclass, field
from typing import Any

from support.successions import Throne
from swarm.ipc.channel import Unreadable
from swarm.ipc.messages import (
    Adopt,
    AnyMessage,
    ChatMessage,
    Hello,
    PermissionRequest,
    PermissionResponse,
    Start,
)
from swarm.ipc.stream_channel import StreamChannel
from swarm.permissions.model import Behavior, Decision, Reason
from swarm.permissions.wire import digest_of, response_message
from swarm.worker.hold import Hold


@dataclass
class Book:
    """What outlives every leader: what was asked, and what was decided."""

    asked: dict[str, PermissionRequest] = field(default_factory=dict)
    decided: dict[str, PermissionResponse] = field(default_factory=dict)
    heard: dict[str, str] = field(default_factory=dict)

    def waiting(self) -> list[str]:
        return [request_id for request_id in self.asked if request_id not in self.decided]

    def decide(self, request_id: str, allow: bool) -> PermissionResponse:
        reason = Reason.INTERACTIVE_ALLOW_ONCE if allow else Reason.INTERACTIVE_DENY
        decision = Decision(Behavior.ALLOW if allow else Behavior.DENY, reason)
        digest = digest_of(self.asked[request_id])
        self.decided[request_id] = response_message(request_id, digest, decision)
        return self.decided[request_id]


class Chief:
    """A leader over one channel: writes down what is asked, and answers again what was decided."""

    def __init__(self, channel: StreamChannel, book: Book, throne: Throne) -> None:
        self.channel = channel
        self.book = book
        self.throne = throne
        self.is_dead = False
        channel.open(self)

    def send(self, message: Any) -> None:
        if self.channel.is_open and not self.is_dead and self.channel.connection.state.value == "running":
            self.channel.send(message)

    def message(self, message: AnyMessage) -> None:
        if self.is_dead:
            return
        if isinstance(message, Hello) and message.worker and self.throne.mark:
            self.channel.send(Adopt(protocol=1, pid=self.throne.mark.pid))
        elif isinstance(message, Hello):
            start = Start(protocol=1, worker="w", kind="script", agent={}, cwd="/", session="/s")
            self.channel.send(start)
        elif isinstance(message, PermissionRequest):
            known = self.book.asked.setdefault(message.id, message)
            assert digest_of(known) == digest_of(message)
            if message.id in self.book.decided:
                self.send(self.book.decided[message.id])

        elif isinstance(message, ChatMessage):
            self.book.heard[message.id] = message.text

    def unreadable(self, report: Unreadable) -> None:
        raise AssertionError(report)

    def acknowledged(self, message: AnyMessage) -> None:
        if isinstance(message, PermissionResponse):
            assert message.request_id in self.book.decided

    def closed(self, why: str) -> None:
        self.is_dead = True


class Life:
    """The worker's life, as far as its calls need one."""

    assignment = None

    def __init__(self, hold: Hold) -> None:
        self.hold = hold
        self.ends: list[str] = []

    @property
    def is_held(self) -> bool:
        return self.hold.is_on

    def begin(self, start: Start) -> None:
        """Begin nothing: the machine makes the calls."""

    def stop(self, why: str, grace: float | None = None) -> None:
        self.ends.append(why)

    def cut_off(self, why: str) -> None:
        self.ends.append(why)

    def go_on(self, mode: str) -> None:
        self.hold.end()

    def result_taken(self) -> None:
        """Send no result."""
