"""The leader's view of one worker's connection: takes its messages, sends it ours. Decides nothing."""

from collections.abc import Callable
from typing import Protocol, assert_never

import anyio

from swarm.ipc.channel import Unreadable
from swarm.ipc.errors import ChannelClosed, IpcError
from swarm.ipc.messages import (
    Adopt,
    Answer,
    AnyMessage,
    Cancel,
    ChatMessage,
    Error,
    Event,
    EventPart,
    FromLeader,
    Heartbeat,
    Hello,
    Log,
    PermissionRequest,
    PermissionResponse,
    PermissionWithdrawn,
    Ping,
    Question,
    Result,
    RulesChanged,
    SetMode,
    Shutdown,
    Start,
    Usage,
)
from swarm.ipc.stream_channel import StreamChannel
from swarm.leader.core.clipping import clipped
from swarm.leader.core.link_way import Way

HELD_LIMIT = 100
"""How many messages wait for a worker that has not begun yet; further ones are refused."""
TALK_LIMIT = 16 * 1024 * 1024
"""Characters of one attempt's log lines and messages that are kept; a flood must not fill the disk."""


class House(Protocol):
    """Who is told what a worker sends. Called from the event loop; must not block."""

    def greeted(self, link: "Link", hello: Hello) -> None:
        """The worker is there."""

    def happened(self, link: "Link", part: EventPart) -> None:
        """Something that the person may see."""

    def asked(self, link: "Link", message: PermissionRequest) -> None:
        """The worker wants to run a tool."""

    def took(self, link: "Link", wire_id: str) -> None:
        """The worker has taken the answer to its request."""

    def withdrew(self, link: "Link", message: PermissionWithdrawn) -> None:
        """The worker no longer wants an answer."""

    def questioned(self, link: "Link", message: Question) -> None:
        """The agent asks the person something else."""

    def chatted(self, link: "Link", message: ChatMessage) -> None:
        """A message for somebody."""

    def used(self, link: "Link", usage: Usage) -> None:
        """Tokens and cost."""

    def finished(self, link: "Link", result: Result) -> None:
        """The worker's work is over."""

    def left(self, link: "Link", why: str) -> None:
        """The way to the worker has ended. As long as its process lives it may come on another."""

    def broke(self, link: "Link", why: str) -> None:
        """The worker cannot be led any longer."""

    def logged(self, link: "Link", level: str, text: str) -> None:
        """A line for the log: the worker's own, or what was wrong with its input."""


_READ = frozenset({Event, PermissionWithdrawn, Question, ChatMessage, Usage, Result, Error, Log})
_TALK = frozenset({ChatMessage, Error, Log})
_SENT_AGAIN = (Answer, ChatMessage, Cancel, SetMode, RulesChanged, Shutdown)
"""What is sent again on the next way; a worker asks again itself for each answer that it waits for."""
_TAKEN_ONCE = frozenset({ChatMessage, Question, Usage, Result})
"""What a worker sends again on the next way and must not count twice. A request is known by its id."""
SEEN_IDS = 4_096


class Link:
    """One attempt of one worker, over one channel after the other.

    `heard` is when anything last came from it, on the clock given. `ended` is set while it has no
    channel that it could be heard on, once it had one; `bound` is set as soon as it has one again.
    """

    def __init__(
        self,
        name: str,
        color: str,
        attempt: int,
        channel: StreamChannel | None,
        house: House,
        clock: Callable[[], float],
    ) -> None:
        self.name = name
        self.color = color
        self.attempt = attempt
        self.heard = clock()
        self.ended = anyio.Event()
        self.bound = anyio.Event()
        self._channel = channel
        self._seen: dict[str, None] = {}
        self._responded: set[str] = set()
        self._house = house
        self._clock = clock
        self._has_begun = False
        self._held: list[ChatMessage] = []
        self._unsent: list[FromLeader] = []
        self._talked = 0

    def __repr__(self) -> str:
        return f"<Link {self.name} attempt={self.attempt} ended={self.ended.is_set()}>"

    def send(self, message: FromLeader) -> None:
        """Send a message; to a worker that is gone nothing is sent.

        A chat message waits until the worker has begun, and is dropped, said so, if there is no room:
        nobody may end a worker by talking to it. Any other that cannot be sent though the worker is
        there would be lost, so the worker has to go.
        """
        if isinstance(message, ChatMessage) and not self._has_begun:
            self._hold(message)
            return
        if self._channel is None:
            return
        try:
            self._channel.send(message)
        except ChannelClosed:
            return
        except IpcError as error:
            if isinstance(message, ChatMessage):
                self._house.logged(self, "warning", f"A message to it was dropped: {error}")
            else:
                self._house.broke(self, f"a message to it cannot be sent: {error}")
        if isinstance(message, Start | Adopt):
            self._begin()

    def bind(self, channel: StreamChannel) -> StreamChannel | None:
        """Talk over `channel` from now on, and give the one before, which the caller has to close.

        What the other end may not have got of it is sent again as soon as it is adopted.
        """
        before, self._channel = self._channel, channel
        self._has_begun = False
        self._responded.clear()
        if before is not None:
            left = before.connection.unacknowledged()
            self._unsent += [message for message in left if isinstance(message, _SENT_AGAIN)]
        self.ended = anyio.Event()
        self.heard = self._clock()
        self.bound.set()
        self.bound = anyio.Event()
        channel.open(Way(self, channel))
        return before

    def is_over(self, channel: StreamChannel) -> bool:
        """Whether it is `channel` no more that the worker is reached on."""
        return self._channel is not channel

    def _hold(self, message: ChatMessage) -> None:
        if len(self._held) < HELD_LIMIT:
            self._held.append(message)
        else:
            self._house.logged(self, "warning", "A message to it was dropped: too many wait for its start")

    def _begin(self) -> None:
        """Send what had to wait for the start."""
        self._has_begun = True
        waiting, self._unsent, self._held = [*self._unsent, *self._held], [], []
        for message in waiting:
            self.send(message)

    def respond(self, response: PermissionResponse) -> None:
        """Send the answer to a permission request, once a way.

        A worker that is not there asks again when it is.
        """
        if self._has_begun and response.request_id not in self._responded:
            self._responded.add(response.request_id)
            self.send(response)

    def message(self, message: AnyMessage) -> None:
        """Pass one message on to whom it concerns, bounded if it is only to be read."""
        self.heard = self._clock()
        house = self._house
        if type(message) in _READ:
            message = clipped(message)
        if type(message) in _TAKEN_ONCE and self._was_seen(message):
            return
        if type(message) in _TALK and not self._may_talk(message):
            return
        match message:
            case Event():
                house.happened(self, message.event)
            case PermissionRequest():
                house.asked(self, message)
            case PermissionWithdrawn():
                house.withdrew(self, message)
            case Heartbeat():
                pass  # that it was heard is all it says
            case Hello():
                self._has_begun = False
                self._responded.clear()
                house.greeted(self, message)
            case Question():
                house.questioned(self, message)
            case ChatMessage():
                house.chatted(self, message)
            case Usage():
                house.used(self, message)
            case Result():
                house.finished(self, message)
            case Log():
                house.logged(self, message.level, message.text)
            case Error():
                house.logged(self, "error", f"{message.code}: {message.text}")
            case (
                Start()
                | Adopt()
                | PermissionResponse()
                | Answer()
                | Cancel()
                | SetMode()
                | RulesChanged()
                | Ping()
                | Shutdown()
            ):
                house.logged(self, "error", "it sent a message that only a leader may send")
            case _:
                assert_never(message)

    def _was_seen(self, message: AnyMessage) -> bool:
        """Tell whether this came before, on this way or an earlier one; remember that it has come."""
        if not message.id or message.id in self._seen:
            return bool(message.id)
        self._seen[message.id] = None
        if len(self._seen) > SEEN_IDS:
            del self._seen[next(iter(self._seen))]
        return False

    def _may_talk(self, message: AnyMessage) -> bool:
        """Count what is kept of a worker's talk; say once that it was too much."""
        before = self._talked
        self._talked += 100 + len(getattr(message, "text", ""))
        if before <= TALK_LIMIT < self._talked:
            self._house.logged(self, "warning", "It talks so much that no more of it is kept or passed on.")
        return self._talked <= TALK_LIMIT

    def unreadable(self, report: Unreadable) -> None:
        """Pass on that input was skipped."""
        self.heard = self._clock()
        lines = "line" if report.count == 1 else "lines"
        text = f"skipped {report.count} {lines} of {report.size} bytes: {report.problem}: {report.excerpt}"
        self._house.logged(self, "warning", text)

    def acknowledged(self, message: AnyMessage) -> None:
        """Pass on that the worker has taken an answer."""
        if isinstance(message, PermissionResponse):
            self._responded.discard(message.request_id)
            self._house.took(self, message.request_id)

    def closed(self, why: str) -> None:
        """Take note that nothing more will come."""
        self.ended.set()
        self._house.left(self, why)
