"""The leader's end of a channel to one worker, for tests: keeps what comes and waits for it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import anyio

from swarm.ipc.channel import Unreadable
from swarm.ipc.messages import AnyMessage, Event, Hello, PermissionRequest, Result, Start
from swarm.ipc.stream_channel import StreamChannel
from swarm.permissions.model import Behavior, Decision, Reason
from swarm.permissions.wire import digest_of, response_message

Kind = TypeVar("Kind")
LONG = 10.0


@dataclass
class FakeLeader:
    """Leads one worker by hand; `is_allowing` allows each request as it comes."""

    channel: StreamChannel
    cwd: Path
    is_allowing: bool = False
    got: list[AnyMessage] = field(default_factory=list)
    why_closed: str = ""

    def __post_init__(self) -> None:
        self._news = anyio.Event()
        self.channel.open(self)

    def message(self, message: AnyMessage) -> None:
        """Keep a message, and allow it if told so."""
        self.got.append(message)
        if self.is_allowing and isinstance(message, PermissionRequest):
            self.answer(message)
        self._tell()

    def unreadable(self, report: Unreadable) -> None:
        """Fail: a worker sends only what can be read."""
        raise AssertionError(report)

    def acknowledged(self, message: AnyMessage) -> None:
        """Need not know."""

    def closed(self, why: str) -> None:
        """Note the end."""
        self.why_closed = why
        self._tell()

    def answer(self, request: PermissionRequest, allow: bool = True, message: str = "") -> None:
        """Decide about a request as a person would."""
        reason = Reason.INTERACTIVE_ALLOW_ONCE if allow else Reason.INTERACTIVE_DENY
        decision = Decision(Behavior.ALLOW if allow else Behavior.DENY, reason, message)
        self.channel.send(response_message(request.id, digest_of(request), decision))

    def all(self, kind: type[Kind]) -> list[Kind]:
        """Give all messages and events of a kind, in order."""
        parts = [message.event if isinstance(message, Event) else message for message in self.got]
        return [part for part in parts if isinstance(part, kind)]

    async def until(self, holds: Callable[[], Any]) -> None:
        """Wait until something that came makes `holds` true."""
        with anyio.fail_after(LONG):
            while not holds():
                await self._news.wait()

    async def first(self, kind: type[Kind]) -> Kind:
        """Wait for the first of a kind."""
        await self.until(lambda: self.all(kind))
        return self.all(kind)[0]

    async def start(self, *steps: Any, **fields: Any) -> None:
        """Start a script of these steps; `fields` are those of the message."""
        await self.first(Hello)
        given = {"protocol": 1, "worker": "w", "kind": "script", "cwd": str(self.cwd), **fields}
        self.channel.send(Start(**{"agent": {"steps": list(steps)}, **given}))

    async def end(self) -> Result:
        """Wait for the end of the channel and give the one result."""
        await self.until(lambda: self.why_closed)
        (result,) = self.all(Result)
        return result

    def _tell(self) -> None:
        self._news.set()
        self._news = anyio.Event()
