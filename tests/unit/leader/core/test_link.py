"""What a link lets through in both directions."""

from support.housing import NotingHouse
from support.receiving import Notes
from support.wired import CHAT, HELLO
from swarm.ipc.memory import channel_pair
from swarm.ipc.messages import (
    ChatMessage,
    Event,
    Hello,
    Log,
    PermissionResponse,
    Shutdown,
    Text,
    Todo,
    TodoItem,
    ToolStarted,
    Usage,
)
from swarm.ipc.stream_channel import StreamChannel
from swarm.leader.core.clipping import ITEM_LIMIT, TEXT_LIMIT, WORD_LIMIT, clipped
from swarm.leader.core.link import HELD_LIMIT, TALK_LIMIT, Link


def linked(house: NotingHouse, channel: StreamChannel) -> Link:
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


AGAIN = Hello(protocols=(1,), pid=42, program="swarm", python="3.11", worker="tests", attempt=1)
ANSWER = PermissionResponse(request_id="w1", digest="d", behavior="allow", reason="settings-allow")


async def test_on_the_next_way_orders_are_sent_again_and_answers_wait_to_be_asked_for() -> None:
    leader, worker = channel_pair()
    house, notes = NotingHouse(), Notes()
    link = Link("tests", "#ffffff", 1, None, house, lambda: 0.0)
    link.bind(leader)
    worker.open(notes)
    worker.send(HELLO)
    await notes.until(lambda seen: seen.messages)
    await worker.aclose()
    link.send(Shutdown(why="enough", grace=1.0))
    link.respond(ANSWER)
    next_leader, next_worker = channel_pair()
    again = Notes()
    assert link.bind(next_leader) is leader
    link.respond(ANSWER)
    next_worker.open(again)
    next_worker.send(AGAIN)
    await again.until(lambda seen: len(seen.messages) == 2)
    assert [type(message).__name__ for message in again.messages] == ["Adopt", "Shutdown"]
    link.respond(ANSWER)
    link.respond(ANSWER)
    link.send(CHAT)
    await again.until(lambda seen: len(seen.messages) == 4)
    assert [type(message).__name__ for message in again.messages[2:]] == [
        "PermissionResponse",
        "ChatMessage",
    ]
    for end in (next_worker, next_leader, leader):
        await end.aclose()


def test_what_comes_again_on_the_next_way_counts_once() -> None:
    house = NotingHouse()
    link = linked(house, channel_pair()[0])
    for _ in range(2):
        link.message(ChatMessage(id="m1", text="hi", to="*"))
        link.message(Usage(id="m2", input_tokens=1))
    assert (len(house.chats), len(house.usages)) == (1, 1)
