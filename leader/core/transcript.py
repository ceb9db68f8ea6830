"""Turns what a worker reports into the entries of its transcript. Pure; keeps a bounded number."""

from collections.abc import Iterable
from dataclasses import replace
from typing import assert_never

from swarm.ipc.messages import (
    EventPart,
    Phase,
    Text,
    Thinking,
    Todo,
    ToolEnded,
    ToolOutput,
    ToolStarted,
)
from swarm.leader.core.views import Entry, NoticeEntry, TextEntry, ToolEntry, Transcript

ENTRY_LIMIT = 2_000
TEXT_LIMIT = 64_000  # characters of one text entry; a longer one is closed and the next begun
OUTPUT_LIMIT = 32_000  # characters of output kept of one tool call

_TODO_MARKS = {"pending": "○", "in_progress": "◐", "completed": "●"}


def extend(transcript: Transcript, parts: Iterable[EventPart | NoticeEntry]) -> Transcript:
    """Give the transcript after `parts`, with at most ENTRY_LIMIT entries and one more revision."""
    entries = list(transcript.entries)
    before = len(entries)
    open_calls = {
        entry.call_id: index
        for index, entry in enumerate(entries)
        if isinstance(entry, ToolEntry) and not entry.outcome
    }
    for part in parts:
        _add(entries, open_calls, part)
    surplus = max(0, len(entries) - ENTRY_LIMIT)
    if not entries and not before:
        return transcript
    return Transcript(tuple(entries[surplus:]), transcript.first + surplus, transcript.revision + 1)


def _add(entries: list[Entry], open_calls: dict[str, int], part: EventPart | NoticeEntry) -> None:
    match part:
        case Text() | Thinking():
            _append_text(entries, part.text, isinstance(part, Thinking))
        case ToolStarted():
            _close_call(entries, open_calls.get(part.call_id))
            open_calls[part.call_id] = len(entries)
            entries.append(ToolEntry(part.call_id, part.tool, part.title, agent=part.agent))
        case ToolOutput():
            _change_call(entries, open_calls.get(part.call_id), part)
        case ToolEnded():
            _change_call(entries, open_calls.pop(part.call_id, None), part)
        case Todo():
            lines = "\n".join(f"{_TODO_MARKS[item.state]} {item.text}" for item in part.items)
            entries.append(TextEntry(lines))
        case NoticeEntry():
            entries.append(part)
        case Phase():
            pass  # shown as what the worker does now, not kept
        case _:
            assert_never(part)


def _append_text(entries: list[Entry], text: str, thinking: bool) -> None:
    last = entries[-1] if entries else None
    if isinstance(last, TextEntry) and last.thinking == thinking and len(last.text) < TEXT_LIMIT:
        entries[-1] = replace(last, text=last.text + text)
    else:
        entries.append(TextEntry(text, thinking))


def _close_call(entries: list[Entry], index: int | None) -> None:
    """End a call whose id is used again: no more can come of it."""
    if index is not None:
        entry = entries[index]
        assert isinstance(entry, ToolEntry)
        entries[index] = replace(entry, outcome="interrupted")


def _change_call(entries: list[Entry], index: int | None, part: ToolOutput | ToolEnded) -> None:
    """Put output or the outcome into the call's own entry; what belongs to no open call is dropped."""
    if index is None:
        return
    entry = entries[index]
    assert isinstance(entry, ToolEntry)
    if isinstance(part, ToolEnded):
        entries[index] = replace(entry, outcome=part.outcome, summary=part.summary, seconds=part.seconds)
        return
    output = entry.output + part.text
    surplus = max(0, len(output) - OUTPUT_LIMIT)
    entries[index] = replace(entry, output=output[surplus:], dropped=entry.dropped + surplus)
