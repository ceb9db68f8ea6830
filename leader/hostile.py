"""Makes text of workers harmless and every character of it visible. Never interprets markup.

Style: what could move, hide, reorder or imitate becomes a Python-like escape (`\\x1b`, `\\u202e`,
`\\U000e0041`; `\\n`, `\\r`, `\\t`). Backslashes stay as they are, so a literal `\\x1b` looks the same in
plain text; `as_text` gives true escapes a style of their own.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.text import Text

MARKS_KEPT = 4
"""Combining marks that one character may carry; more would paint over other lines."""

TAB = "    "
ELLIPSIS = "…"
ESCAPE_STYLE = "bold #d787d7"

_NAMED = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}

# Printable to Unicode, yet blank or without effect of their own: fillers, joiners, selectors.
_BLANK = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0\ufffc\U0001d159"
)
_BLANK_RANGES = ((0xFE00, 0xFE0F), (0xE0100, 0xE01EF))

# Characters that are plainly visible, so that most text is passed in one piece. A test compares every
# one of them with `_kind`, which decides about all others.
_PLAIN = re.compile(
    "[ -~\u00a1-\u00ac\u00ae-\u02ff\u0391-\u03a1\u03a3-\u0482\u2010-\u2027\u2030-\u205e\u2190-\u23ff"
    "\u2500-\u27ff\u3001-\u3029\u3041-\u3096\u309b-\u30ff\u3400-\u4dbf\u4e00-\u9ffc\uac00-\ud7a3"
    "\uff01-\uff9f\U0001f300-\U0001f3fa\U0001f400-\U0001f64f]+"
)

# Terminals disagree about the width of joined, coloured and toned emoji, so their parts stand alone.
_JOINERS = re.compile("[\u200d\ufe0f\U0001f3fb-\U0001f3ff]")
_JOINED_EMOJI = re.compile(
    "(?<=[\u203c-\u3299\U0001f000-\U0001faff])"
    "(?:\ufe0f?\u200d(?=[\u203c-\u3299\U0001f300-\U0001faff])|\ufe0f|[\U0001f3fb-\U0001f3ff]+\u200d?)"
)


def escape(text: str, *, keep_newlines: bool = False) -> str:
    """Give `text` with every character that is not plainly visible as an escape.

    With `keep_newlines`, line feeds stay and a tab is four blanks; else the result is one line. Emoji
    lose joiners, colour selectors and skin tones, nothing else is lost. Linear in the length.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(piece for piece, _ in pieces(text, keep_newlines=keep_newlines))


def pieces(text: str, *, keep_newlines: bool = False) -> Iterator[tuple[str, bool]]:
    """Give the parts of the escaped text in order; the flag says that a part is an escape."""
    if _JOINERS.search(text):
        text = _JOINED_EMOJI.sub("", text)
    position, end = 0, len(text)
    while position < end:
        plain = _PLAIN.match(text, position)
        if plain is not None:
            yield plain.group(), False
            position = plain.end()
            continue
        stop = _run_end(text, position)
        yield from _run(text, position, stop, keep_newlines)
        position = stop


def _run_end(text: str, position: int) -> int:
    found = _PLAIN.search(text, position)
    return len(text) if found is None else found.start()


def _run(text: str, start: int, stop: int, keep_newlines: bool) -> Iterator[tuple[str, bool]]:
    """Escape the characters that are not plain in `text[start:stop]`."""
    marks = 0 if start and text[start - 1] != " " else MARKS_KEPT
    for character in text[start:stop]:
        if keep_newlines and character in "\n\t":
            marks = MARKS_KEPT
            yield ("\n" if character == "\n" else TAB), False
            continue
        kind = _kind(character)
        if kind == "mark" and marks < MARKS_KEPT:
            marks += 1
            yield character, False
        elif kind == "visible":
            marks = 0
            yield character, False
        else:
            marks = MARKS_KEPT
            yield _escaped(character), True


@lru_cache(maxsize=8192)
def _kind(character: str) -> str:
    if not character.isprintable() or character in _BLANK:
        return "hidden"
    if any(low <= ord(character) <= high for low, high in _BLANK_RANGES):
        return "hidden"
    return "mark" if unicodedata.category(character) in ("Mn", "Me") else "visible"


def _escaped(character: str) -> str:
    if character in _NAMED:
        return _NAMED[character]
    code = ord(character)
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def clip(text: str, cells: int) -> str:
    """Give `text`, which must be one escaped line, within `cells` cells; a cut ends in an ellipsis."""
    from rich.cells import cell_len, set_cell_size

    if cells <= 0:
        return ""
    # Every character but the few kept marks fills a cell, so what lies beyond can't be seen anyway.
    head = text[: (cells + 1) * (MARKS_KEPT + 1)]
    if len(head) == len(text) and cell_len(text) <= cells:
        return text
    return set_cell_size(head, cells - 1).rstrip(" ") + ELLIPSIS


def label(text: str, cells: int) -> str:
    """Give hostile `text` as one harmless line of at most `cells` cells. Reads no more than it needs."""
    head = text[: (max(cells, 0) + 1) * (MARKS_KEPT + 1)]
    clipped = clip(escape(head), cells)
    if len(head) < len(text) and clipped and not clipped.endswith(ELLIPSIS):
        return clip(clipped + ELLIPSIS * cells, cells)
    return clipped


def as_text(text: str, style: str = "", *, keep_newlines: bool = False) -> "Text":
    """Give hostile `text` as rich Text: no markup is read, escapes stand out in `ESCAPE_STYLE`."""
    from rich.text import Text

    shown = Text(style=style, end="", no_wrap=not keep_newlines)
    for piece, is_escape in pieces(text, keep_newlines=keep_newlines):
        shown.append(piece, ESCAPE_STYLE if is_escape else None)
    return shown
