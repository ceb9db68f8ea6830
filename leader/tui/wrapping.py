"""Breaks escaped text into lines of a width in cells. Pure; linear in the length of the text.

Every character is 0, 1 or 2 cells wide; escaping has left none whose width depends on its neighbours.
"""

import re
from collections.abc import Iterable

from rich.cells import cell_len, get_character_cell_size

Piece = tuple[str, str]
"""Text with its style."""

Line = tuple[Piece, ...]


# Characters of one cell, so that only the others are looked up one by one.
_NARROW = re.compile("[ -~\u00c0-\u02ff\u0391-\u03a1\u03a3-\u0482\u2500-\u257f]+")


def cells(text: str) -> int:
    """Give the width of escaped text in cells."""
    if text.isascii():
        return len(text)
    others = _NARROW.sub("", text)
    return len(text) - len(others) + cell_len(others)


def wrap_words(text: str, width: int) -> list[str]:
    """Break `text` at line feeds and, where a line is too long, after a blank or else anywhere."""
    lines: list[str] = []
    for hard_line in text.split("\n"):
        if _fits(hard_line, width):
            lines.append(hard_line)
        else:
            lines.extend(_break(hard_line, max(width, 2), at_words=True))
    return lines


def wrap_exact(text: str, width: int) -> list[str]:
    """Break `text` at line feeds and exactly at `width`, so that every blank stays to be seen."""
    lines: list[str] = []
    for hard_line in text.split("\n"):
        if _fits(hard_line, width):
            lines.append(hard_line)
        else:
            lines.extend(_break(hard_line, max(width, 2), at_words=False))
    return lines


def _fits(text: str, width: int) -> bool:
    return len(text) * 2 <= width or cells(text) <= width


def _break(text: str, width: int, *, at_words: bool) -> list[str]:
    lines: list[str] = []
    start = used = 0
    blank = -1  # just after the last blank of the open line
    for position, character in enumerate(text):
        size = get_character_cell_size(character)
        while used + size > width:
            cut = blank if at_words and blank > start else position
            lines.append(text[start:cut].rstrip(" ") if at_words else text[start:cut])
            start, blank = cut, -1
            used = cells(text[start:position]) if cut < position else 0
        used += size
        if character == " ":
            blank = position + 1
    lines.append(text[start:])
    return lines


def wrap_pieces(pieces: Iterable[Piece], width: int) -> list[Line]:
    """Break styled text at line feeds and exactly at `width`; no character is lost."""
    width = max(width, 2)
    lines: list[Line] = []
    line: list[Piece] = []
    used = 0
    for text, style in pieces:
        for number, part in enumerate(text.split("\n")):
            if number:
                lines.append(tuple(line))
                line, used = [], 0
            used = _fill(lines, line, part, style, width, used)
    lines.append(tuple(line))
    return lines


def _fill(lines: list[Line], line: list[Piece], text: str, style: str, width: int, used: int) -> int:
    """Add `text` to the open `line`, closing it as often as needed; give the cells then in use."""
    start = 0
    for position, character in enumerate(text):
        size = get_character_cell_size(character)
        if used + size > width:
            if position > start:
                line.append((text[start:position], style))
            lines.append(tuple(line))
            line.clear()
            start, used = position, 0
        used += size
    if start < len(text):
        line.append((text[start:], style))
    return used


def plain(line: Line) -> str:
    """Give the text of a line without its styles."""
    return "".join(text for text, _ in line)
