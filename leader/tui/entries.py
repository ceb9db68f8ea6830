"""Turns one entry of a transcript into lines. Pure; every text of the worker is escaped here.

Colour codes in output are left out and carriage returns begin a line; all else shows as `hostile` says.
"""

import re

from swarm.leader.core.views import Entry, NoticeEntry, TextEntry, ToolEntry
from swarm.leader.hostile import clip, escape, label
from swarm.leader.tui import look
from swarm.leader.tui.ages import duration
from swarm.leader.tui.wrapping import Line, wrap_words

TAIL_LINES = 8
"""Lines of a tool's output that are shown unless all are wanted."""

TITLE_LINES = 3
SUMMARY_LINES = 3
"""Lines for why a call did not succeed, such as what the person wrote."""

SUMMARY_START = "  └ "

_SGR = re.compile(r"\x1b\[[0-9;:]*m")
_RETURN = re.compile(r"\r\n?")

_OUTCOMES = {
    "": ("●", look.LINK),
    "succeeded": ("✓", look.GOOD),
    "failed": ("✗", look.BAD),
    "denied": ("⊘", look.BAD),
    "interrupted": ("–", look.WARN),
}
_LEVELS = {"info": ("·", look.FAINT), "warning": ("!", look.WARN), "error": ("✗", look.BAD)}


def block(text: str) -> str:
    """Give streamed text escaped, in lines."""
    if "\x1b" in text:
        text = _SGR.sub("", text)
    if "\r" in text:
        text = _RETURN.sub("\n", text)
    return escape(text, keep_newlines=True)


def entry_lines(entry: Entry, width: int, *, whole: bool = False) -> list[Line]:
    """Give the lines of `entry`; with `whole`, all output that is kept."""
    match entry:
        case TextEntry():
            return [*text_lines(entry, entry.text.rstrip("\n"), width), ()]
        case ToolEntry():
            return tool_lines(entry, width, whole=whole)
        case NoticeEntry():
            return _notice_lines(entry, width)


def text_lines(entry: TextEntry, text: str, width: int) -> list[Line]:
    """Give the lines of a part of the agent's text, which is `entry`'s."""
    style = look.THINKING if entry.thinking else look.TEXT
    return [((line, style),) for line in wrap_words(block(text), width)]


def _notice_lines(entry: NoticeEntry, width: int) -> list[Line]:
    glyph, style = _LEVELS[entry.level]
    wrapped = wrap_words(escape(entry.text, keep_newlines=True), width - 2)
    return [((f"{glyph} " if at == 0 else "  ", style), (line, style)) for at, line in enumerate(wrapped)]


def tool_lines(entry: ToolEntry, width: int, *, whole: bool) -> list[Line]:
    """Give the head, the tail of the output and the outcome of a tool call."""
    lines = [*_head(entry, width), *_output(entry, width, whole=whole)]
    if entry.summary:
        style = look.MUTED if entry.outcome == "succeeded" else _OUTCOMES[entry.outcome][1]
        room = max(width - 4, 8)
        most = 1 if entry.outcome == "succeeded" else SUMMARY_LINES
        said = wrap_words(label(entry.summary, room * most), room)
        lines += [
            ((SUMMARY_START if at == 0 else "    ", look.FAINT), (line, style))
            for at, line in enumerate(said)
        ]
    return lines


def _head(entry: ToolEntry, width: int) -> list[Line]:
    glyph, style = _OUTCOMES[entry.outcome]
    tool = label("/".join((*entry.agent, entry.tool)), max(width // 2, 8))
    took = f"  {duration(entry.seconds)}" if entry.outcome else ""
    room = max(width - len(tool) - 3, 8)
    title = wrap_words(label(_without_tool(entry), room * TITLE_LINES - len(took)) + took, room)
    if len(title) > TITLE_LINES:
        title = [*title[: TITLE_LINES - 1], clip(" ".join(title[TITLE_LINES - 1 :]), room)]
    first: Line = ((f"{glyph} ", style), (f"{tool} ", look.STRONG), (title[0], look.TEXT))
    indent = " " * (len(tool) + 3)
    return [first, *(((indent, ""), (line, look.TEXT)) for line in title[1:])]


def _without_tool(entry: ToolEntry) -> str:
    """Give the title without the tool's name, which stands before it anyway."""
    return entry.title.removeprefix(f"{entry.tool} ")


def _output(entry: ToolEntry, width: int, *, whole: bool) -> list[Line]:
    output = entry.output.rstrip("\r\n")
    if not output:
        return []
    above = 0
    if not whole:
        kept = output.rsplit("\n", TAIL_LINES)[-TAIL_LINES:]
        above = output.count("\n") + 1 - len(kept)
        output = "\n".join(kept)
    wrapped = wrap_words(block(output), width - 4)
    if not whole and len(wrapped) > TAIL_LINES:
        above += len(wrapped) - TAIL_LINES
        wrapped = wrapped[-TAIL_LINES:]
    gutter = ("  │ ", look.FAINT)
    return [*_missing(entry, above), *((gutter, (line, look.MUTED)) for line in wrapped)]


def _missing(entry: ToolEntry, above: int) -> list[Line]:
    """Say what of the output is not shown."""
    said = []
    if above:
        said.append(
            f"{above:,} more line above: o shows it"
            if above == 1
            else f"{above:,} more lines above: o shows them"
        )
    if entry.dropped:
        said.append(f"{entry.dropped:,} characters before that are no longer kept")
    return [(("  ┆ ", look.FAINT), ("; ".join(said), look.FAINT))] if said else []
