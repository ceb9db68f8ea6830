"""A shell command with the deciding parts underlined by a line of signs below. Prints nothing."""

from collections.abc import Iterator, Sequence

from swarm.leader.hostile import escape
from swarm.leader.tui.wrapping import Line

BEFORE = 30
"""How many characters before the first mark stay when a long line is cut."""
MOST_LINES = 40

Span = tuple[int, int]


def underlined(command: str, spans: Sequence[Span], width: int, style: str) -> Iterator[Line]:
    """Give the lines of a command, each with a line of ~ below its marked stretches."""
    at, shown = 0, 0
    for text in command.split("\n"):
        marks = [(max(start - at, 0), min(end - at, len(text))) for start, end in spans]
        marks = sorted((start, end) for start, end in marks if start < end)
        if marks or shown < MOST_LINES:
            yield from _line(text, marks, width, style)
            shown += 1
        elif shown == MOST_LINES:
            yield (("    …", ""),)
            shown += 1
        at += len(text) + 1


def _line(text: str, marks: list[Span], width: int, style: str) -> Iterator[Line]:
    from rich.cells import cell_len

    first = max(0, marks[0][0] - BEFORE) if marks and len(text) > width else 0
    last = min(len(text), first + width)
    pieces, below = [("    " + ("…" if first else ""), "")], "    " + (" " if first else "")
    at = first
    for start, end in marks:
        start, end = max(start, at), min(end, last)
        if start >= end:
            continue
        plain, marked = escape(text[at:start]), escape(text[start:end])
        pieces += [(plain, ""), (marked, style)]
        below += " " * cell_len(plain) + "~" * cell_len(marked)
        at = end
    pieces += [(escape(text[at:last]) + ("…" if last < len(text) else ""), "")]
    yield tuple(piece for piece in pieces if piece[0])
    if below.strip():
        yield ((below, style),)
