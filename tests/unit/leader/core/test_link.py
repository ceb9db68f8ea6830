"""What a link lets through in both directions."""

from dataclasses import dataclass, field

from support.receiving import Notes
from support.wired import CHAT, HELLO, START
from swarm.ipc.channel import Channel
from swarm.ipc.memory import channel_pair
from swarm.ipc.messages import (
    ChatMessage,
    Event,
    EventPart,
    Hello,
    Log,
    PermissionRequest,
    PermissionWithdrawn,
    Question,
    Result,
    Text,
    Todo,
    TodoItem,
    ToolStarted,
    Usage,
)
from swarm.leader.core.clipping import ITEM_LIMIT, TEXT_LIMIT, WORD_LIMIT, clipped
from swarm.leader.core.link import HELD_LIMIT, TALK_LIMIT, Link


@dataclass
class NotingHouse:
    """Keeps what a link passes on."""

    parts: list[EventPart] = field(default_factory=list)
    chats: list[ChatMessage] = field(default_factory=list)
    logs: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)

    def greeted(self, link: Link, hello: Hello) -> None:
        link.send(START)

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
        """Keep nothing."""

    def finished(self, link: Link, result: Result) -> None:
        """Keep nothing."""

    def left(self, link: Link, why: str) -> None:
        """Keep nothing."""

    def broke(self, link: Link, why: str) -> None:
        self.broken.append(why)

    def logged(self, link: Link, level: str, text: str) -> None:
        self.logs.append(text)


def linked(house: NotingHouse, channel: Channel) -> Link:
    return Link("tests", "#ffffff", 1, channel, house, lambda: 0.0)


async def test_a_message_to_a_worker_that_has_not_begun_waits_for_its_start_and_harms_nobody() -> None:
    leader, worker = channel_pair()
    house, notes = NotingHouse(), Notes()
    link = linked(house, leader)
    leader.open(link)
    worker.open(notes)
    for _ in range(HELD_LIMIT + 1):
        link.send(CHAT)
    assert house.broken == []
    assert len(house.logs) == 1
    worker.send(HELLO)
    await notes.until(lambda seen: len(seen.messages) == HELD_LIMIT + 1)
    assert [type(message).__name__ for message in notes.messages[:2]] == ["Start", "ChatMessage"]
    await leader.aclose()
    await worker.aclose()


async def test_a_message_that_finds_no_room_is_dropped_and_said_and_its_reader_lives_on() -> None:
    leader, worker = channel_pair(cap=1)
    house, notes = NotingHouse(), Notes()
    link = linked(house, leader)
    leader.open(link)
    worker.open(notes)
    worker.send(HELLO)
    await notes.until(lambda seen: seen.messages)
    worker.pause_reading()
    for _ in range(50):
        link.send(ChatMessage(text="x" * 100_000))
    assert house.broken == []
    assert "dropped" in house.logs[0]
    await leader.aclose()
    await worker.aclose()


def test_what_is_only_read_is_passed_on_bounded() -> None:
    house = NotingHouse()
    link = linked(house, channel_pair()[0])
    link.message(Event(event=ToolStarted(call_id="c", tool="t" * 10**6, title="x" * 10**6)))
    link.message(Event(event=Text(text="x" * 10**6)))
    link.message(Log(level="warning", text="x" * 10**6))
    started, text = house.parts
    assert isinstance(started, ToolStarted)
    assert isinstance(text, Text)
    assert max(len(started.tool), len(started.title)) < WORD_LIMIT + 100
    assert "998,000 more characters" in started.title
    assert max(len(text.text), len(house.logs[0])) < TEXT_LIMIT + 100


def test_lists_and_what_is_in_them_are_bounded_and_short_things_stay_as_they_are() -> None:
    item = TodoItem(text="x", state="pending")
    assert len(clipped(Todo(items=(item,) * 10_000)).items) == ITEM_LIMIT
    (long,) = clipped(Todo(items=(TodoItem(text="x" * 10**6, state="pending"),))).items
    assert len(long.text) < TEXT_LIMIT + 100
    short = Event(event=Todo(items=(item,)))
    assert clipped(short) is short


def test_a_worker_that_talks_without_end_is_not_kept_any_more_and_that_is_said_once() -> None:
    house = NotingHouse()
    link = linked(house, channel_pair()[0])
    for _ in range(3 * TALK_LIMIT // TEXT_LIMIT):
        link.message(Log(level="warning", text="x" * TEXT_LIMIT))
        link.message(ChatMessage(text="x" * TEXT_LIMIT, to="*"))
    assert sum(map(len, house.logs)) + sum(len(chat.text) for chat in house.chats) <= TALK_LIMIT + 200
    assert sum("no more of it is kept" in line for line in house.logs) == 1
