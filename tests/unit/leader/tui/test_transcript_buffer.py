from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from swarm.leader.core.views import Entry, NoticeEntry, TextEntry, ToolEntry, Transcript
from swarm.leader.tui.entries import TAIL_LINES, entry_lines
from swarm.leader.tui.transcript_buffer import KEPT_CHARACTERS, TranscriptBuffer
from swarm.leader.tui.wrapping import plain

WORDS = st.text(st.sampled_from("ab 漢\n\t"), max_size=30)
STEPS = st.lists(
    st.tuples(st.sampled_from(["say", "tool", "output", "notice", "drop"]), WORDS, st.integers(4, 12)),
    max_size=25,
)


def lines_of(buffer: TranscriptBuffer) -> list[str]:
    return [plain(buffer.line(number)) for number in range(buffer.start, buffer.end)]


def fresh(transcript: Transcript, width: int) -> list[str]:
    buffer = TranscriptBuffer()
    buffer.update(transcript, width)
    return lines_of(buffer)


def change(entries: list[Entry], kind: str, text: str) -> list[Entry]:
    last = entries[-1] if entries else None
    match kind, last:
        case "say", TextEntry():
            return [*entries[:-1], replace(last, text=last.text + text)]
        case "say", _:
            return [*entries, TextEntry(text)]
        case "output", ToolEntry():
            return [*entries[:-1], replace(last, output=last.output + text)]
        case "tool", _:
            return [*entries, ToolEntry("c", "Bash", text)]
        case _:
            return [*entries, NoticeEntry("info", text, 0.0)]


@settings(max_examples=150, deadline=None)
@given(STEPS)
def test_lines_kept_in_step_are_those_wrapped_afresh(steps: list[tuple[str, str, int]]) -> None:
    buffer, entries, first = TranscriptBuffer(), list[Entry](), 0
    for revision, (kind, text, width) in enumerate(steps):
        if kind == "drop":
            dropped = min(len(entries), 2)
            entries, first = entries[dropped:], first + dropped
        else:
            entries = change(entries, kind, text)
        transcript = Transcript(tuple(entries), first, revision)
        buffer.update(transcript, 8 if revision % 7 else width)
        assert lines_of(buffer) == fresh(transcript, 8 if revision % 7 else width)


def test_numbers_of_lines_stay_while_old_ones_fall_away() -> None:
    notes = tuple(NoticeEntry("info", f"note {number}", 0.0) for number in range(10))
    buffer = TranscriptBuffer()
    buffer.update(Transcript(notes, 0, 1), 20)
    kept = buffer.line(7)
    buffer.update(Transcript(notes[5:], 5, 2), 20)
    assert buffer.start == 5
    assert buffer.line(7) == kept


def test_what_a_person_wrote_about_a_call_is_wrapped_not_cut() -> None:
    entry = ToolEntry("c", "Bash", "x", outcome="denied", summary="declined by the person: " + "word " * 20)
    shown = [plain(line) for line in entry_lines(entry, 60)]
    assert [line[:4] for line in shown[1:]] == ["  └ ", "    ", "    "]
    assert " ".join(shown).count("word") == 20


def test_output_shows_its_last_lines_and_says_what_is_missing() -> None:
    entry = ToolEntry("c", "Bash", "x", output="\n".join(map(str, range(100))), dropped=1234)
    shown = [plain(line) for line in entry_lines(entry, 80)]
    assert (
        shown[1] == "  ┆ 92 more lines above: o shows them; 1,234 characters before that are no longer kept"
    )
    assert len(shown) == 2 + TAIL_LINES
    assert len(entry_lines(entry, 80, whole=True)) == 2 + 100


def test_colour_codes_are_left_out_and_other_controls_are_shown() -> None:
    entry = TextEntry("\x1b[1;31mred\x1b[0m\r\nup\x1b[A 10%\r20%")
    assert [plain(line) for line in entry_lines(entry, 40)] == ["red", "up\\x1b[A 10%", "20%", ""]


def test_only_the_end_of_a_huge_transcript_is_held() -> None:
    entries = tuple(TextEntry("x" * 50_000) for _ in range(20))
    buffer = TranscriptBuffer()
    buffer.update(Transcript(entries, 7, 1), 100)
    assert buffer.earlier == 7 + 20 - KEPT_CHARACTERS // 50_000
    buffer.update(Transcript((*entries[:-1], TextEntry("x")), 7, 2), 100)
    assert buffer.earlier == 7 + 20 - KEPT_CHARACTERS // 50_000


def test_one_entry_is_held_however_long_it_is() -> None:
    buffer = TranscriptBuffer()
    buffer.update(Transcript((TextEntry("x" * KEPT_CHARACTERS * 2),), 0, 1), 100)
    assert buffer.end > 0
