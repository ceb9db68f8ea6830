"""A house for links under test: it starts or adopts who greets, and keeps what it is told."""

from dataclasses import dataclass, field

from support.wired import START
from swarm.ipc.messages import (
    Adopt,
    ChatMessage,
    EventPart,
    Hello,
    PermissionRequest,
    PermissionWithdrawn,
    Question,
    Result,
    Usage,
)
from swarm.leader.core.link import Link


@dataclass
class NotingHouse:
    """Keeps what a link passes on."""

    parts: list[EventPart] = field(default_factory=list)
    chats: list[ChatMessage] = field(default_factory=list)
    logs: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)
    usages: list[Usage] = field(default_factory=list)

    def greeted(self, link: Link, hello: Hello) -> None:
        link.send(Adopt(protocol=1) if hello.worker else START)

    def happened(self, link: Link, part: EventPart) -> None:
        self.parts.append(part)

    def asked(self, link: Link, message: PermissionRequest) -> None:
        """Keep nothing."""

    def took(self, link: Link, wire_id: str) -> None:
        """Keep nothing."""

    def withdrew(self, link: Link, message: PermissionWithdrawn) -> None:
        """Keep nothing."""

    def questioned(self, link: Link, message: Question) -> None:
        """Keep nothing."""

    def chatted(self, link: Link, message: ChatMessage) -> None:
        self.chats.append(message)

    def used(self, link: Link, usage: Usage) -> None:
        self.usages.append(usage)

    def finished(self, link: Link, result: Result) -> None:
        """Keep nothing."""

    def left(self, link: Link, why: str) -> None:
        """Keep nothing."""

    def broke(self, link: Link, why: str) -> None:
        self.broken.append(why)

    def logged(self, link: Link, level: str, text: str) -> None:
        self.logs.append(text)
