"""How what a worker reports becomes its transcript."""

from hypothesis import given
from hypothesis import strategies as st

from swarm.ipc.messages import (
    EventPart,
    Phase,
    Text,
    Thinking,
    Todo,
    TodoItem,
    ToolEnded,
    ToolOutput,
    ToolStarted,
)
from swarm.leader.core.transcript import ENTRY_LIMIT, OUTPUT_LIMIT, extend
from swarm.leader.core.views import NoticeEntry, TextEntry, ToolEntry, Transcript


def transcript(*parts: EventPart | NoticeEntry) -> Transcript:
    return extend(Transcript(), parts)


def test_text_is_appended_to_the_open_message() -> None:
    assert transcript(Text(text="Hel"), Text(text="lo")).entries == (TextEntry("Hello"),)


def test_thinking_and_answers_are_entries_of_their_own() -> None:
    entries = transcript(Thinking(text="hm"), Text(text="yes"), Thinking(text="but")).entries
    assert entries == (TextEntry("hm", True), TextEntry("yes"), TextEntry("but", True))


def test_a_tool_call_is_one_entry_with_its_output_and_outcome() -> None:
    entries = transcript(
        ToolStarted(call_id="1", tool="Bash", title="ls"),
        ToolOutput(call_id="1", text="a\n"),
        Text(text="meanwhile"),
        ToolOutput(call_id="1", text="b\n"),
        ToolEnded(call_id="1", outcome="succeeded", summary="2 files", seconds=0.5),
    ).entries
    call = ToolEntry("1", "Bash", "ls", "a\nb\n", 0, "succeeded", "2 files", 0.5)
    assert entries == (call, TextEntry("meanwhile"))


def test_two_calls_that_run_at_once_keep_their_output_apart() -> None:
    entries = transcript(
        ToolStarted(call_id="1", tool="Bash", title="one"),
        ToolStarted(call_id="2", tool="Bash", title="two"),
        ToolOutput(call_id="1", text="first"),
        ToolOutput(call_id="2", text="second"),
    ).entries
    assert [entry.output for entry in entries if isinstance(entry, ToolEntry)] == ["first", "second"]


def test_only_the_tail_of_a_long_output_is_kept_and_what_was_dropped_is_counted() -> None:
    part = ToolOutput(call_id="1", text="x" * OUTPUT_LIMIT)
    last = ToolOutput(call_id="1", text="end")
    (entry,) = transcript(ToolStarted(call_id="1", tool="Bash", title="yes"), part, last).entries
    assert isinstance(entry, ToolEntry)
    assert (len(entry.output), entry.dropped, entry.output[-3:]) == (OUTPUT_LIMIT, 3, "end")


def test_output_of_a_call_that_nobody_started_is_dropped() -> None:
    assert transcript(ToolOutput(call_id="9", text="?")).entries == ()


def test_the_number_of_entries_is_bounded_and_the_first_one_is_numbered() -> None:
    notices = [NoticeEntry("info", str(number), 0.0) for number in range(ENTRY_LIMIT + 5)]
    result = transcript(*notices)
    assert len(result.entries) == ENTRY_LIMIT
    assert result.first == 5
    assert result.entries[0] == notices[5]


def test_a_call_is_still_found_after_older_entries_were_dropped() -> None:
    result = transcript(ToolStarted(call_id="1", tool="Bash", title="ls"))
    filler = [NoticeEntry("info", "x", 0.0)] * (ENTRY_LIMIT - 1)
    result = extend(result, filler)
    result = extend(result, [ToolEnded(call_id="1", outcome="failed")])
    entry = result.entries[0]
    assert isinstance(entry, ToolEntry)
    assert entry.outcome == "failed"


def test_a_list_of_things_to_do_is_shown_with_their_state() -> None:
    items = (TodoItem(text="plan", state="completed"), TodoItem(text="build", state="in_progress"))
    assert transcript(Todo(items=items)).entries == (TextEntry("● plan\n◐ build"),)


PARTS = st.one_of(
    st.builds(Text, text=st.text(max_size=5)),
    st.builds(Thinking, text=st.text(max_size=5)),
    st.builds(ToolStarted, call_id=st.sampled_from("12"), tool=st.just("Bash"), title=st.just("t")),
    st.builds(ToolOutput, call_id=st.sampled_from("12"), text=st.text(max_size=5)),
    st.builds(ToolEnded, call_id=st.sampled_from("12"), outcome=st.just("succeeded")),
    st.builds(Phase, phase=st.just("thinking")),
)


@given(st.lists(PARTS, max_size=30), st.integers(0, 30))
def test_it_does_not_matter_how_the_parts_are_batched(parts: list[EventPart], cut: int) -> None:
    assert extend(transcript(*parts[:cut]), parts[cut:]).entries == transcript(*parts).entries
