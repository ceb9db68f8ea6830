"""What is kept while there is no way: in order, bounded, and what was dropped is counted."""

from swarm.ipc.backlog import STREAMED_CAP, Backlog
from swarm.ipc.history import KEPT_MESSAGES
from swarm.ipc.messages import (
    AnyMessage,
    ChatMessage,
    Error,
    Event,
    Heartbeat,
    Hello,
    Log,
    PermissionRequest,
    PermissionWithdrawn,
    Preview,
    Text,
)

PASSING: list[AnyMessage] = [
    Hello(protocols=(1,), pid=1, program="x", python="3"),
    Heartbeat(),
    Error(code="invalid", text="x"),
    PermissionRequest(call_id="c", tool="Bash", input={}, cwd="/", preview=Preview(title="t")),
]


def test_all_kinds_come_out_in_the_order_they_went_in() -> None:
    backlog = Backlog()
    messages: list[AnyMessage] = [
        Event(event=Text(text="a"), id="1"),
        ChatMessage(text="b", id="2"),
        Log(level="info", text="c", id="3"),
        PermissionWithdrawn(request_id="r", why="w", id="4"),
    ]
    for message in messages:
        backlog.add(message)
    assert backlog.take() == messages
    assert backlog.take() == []


def test_what_is_about_the_way_itself_is_not_kept_nor_counted() -> None:
    backlog = Backlog()
    for message in PASSING:
        backlog.add(message)
    assert backlog.take() == []


def test_streamed_messages_are_bounded_and_the_oldest_go() -> None:
    backlog = Backlog()
    for number in range(30):
        backlog.add(Event(event=Text(text=str(number) + "x" * 100_000)))
    left_out, *kept = backlog.take()
    assert left_out == Log(
        level="warning", text=f"{30 - len(kept)} messages were left out while there was no leader."
    )
    assert 0 < len(kept) * 100_000 < STREAMED_CAP
    last = kept[-1]
    assert isinstance(last, Event)
    assert isinstance(last.event, Text)
    assert last.event.text.startswith("29")


def test_a_flood_of_streamed_messages_pushes_out_no_others() -> None:
    backlog = Backlog()
    backlog.add(ChatMessage(text="keep me"))
    for _ in range(50_000):
        backlog.add(Log(level="info", text="x" * 50))
    assert ChatMessage(text="keep me") in backlog.take()


def test_other_messages_are_bounded_by_their_number() -> None:
    backlog = Backlog()
    for number in range(KEPT_MESSAGES + 5):
        backlog.add(ChatMessage(text=str(number)))
    left_out, *kept = backlog.take()
    assert isinstance(left_out, Log)
    assert left_out.text.startswith("5 messages")
    assert len(kept) == KEPT_MESSAGES


def test_what_cannot_be_written_is_dropped_silently() -> None:
    backlog = Backlog()
    backlog.add(ChatMessage(text="x" * 17_000_000))
    assert backlog.take() == []
