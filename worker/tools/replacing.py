"""Replaces exact text, and says why where it cannot. Pure."""

import msgspec

from swarm.worker.errors import InvalidInput, ToolError
from swarm.worker.tools.nearest import nearest_word

_LINES_NAMED = 10
_LINES_COMPARED = 5_000
_LINE_SHOWN = 200


class Replacement(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One exact text and what takes its place; it must occur once unless `replace_all`."""

    old_string: str
    new_string: str
    replace_all: bool = False


def replace_text(text: str, replacement: Replacement, where: str) -> str:
    """Give the text with the replacement made. Raises ToolError, InvalidInput.

    In a text whose lines all end with CRLF, a replacement written with plain line feeds means CRLF.
    """
    old, new = _with_line_ends_of(text, replacement.old_string, replacement.new_string)
    if not old:
        raise InvalidInput(
            "old_string is empty. Name the text to be replaced, or use Write for a whole file."
        )
    if old == new:
        raise InvalidInput("old_string and new_string are the same, so there is nothing to change.")
    count = text.count(old)
    if count == 0:
        raise ToolError(f"old_string was not found in {where}.{_nearest_line(text, old)}")
    if count > 1 and not replacement.replace_all:
        raise ToolError(
            f"old_string was found {count:,} times in {where}, in {_places(text, old)}. "
            "Add lines around it until it is unique, or set replace_all."
        )
    return text.replace(old, new)


def _with_line_ends_of(text: str, old: str, new: str) -> tuple[str, str]:
    is_all_crlf = "\r\n" in text and text.count("\r\n") == text.count("\n")
    if not is_all_crlf or "\r" in old or "\r" in new:
        return old, new
    return old.replace("\n", "\r\n"), new.replace("\n", "\r\n")


def _places(text: str, old: str) -> str:
    lines: list[str] = []
    position = text.find(old)
    while position >= 0 and len(lines) <= _LINES_NAMED:
        lines.append(f"{text.count(chr(10), 0, position) + 1:,}")
        position = text.find(old, position + len(old))
    named = list(dict.fromkeys(lines[:_LINES_NAMED]))
    more = " and more" if len(lines) > _LINES_NAMED else ""
    return f"{'line' if len(named) == 1 else 'lines'} {', '.join(named)}{more}"


def _nearest_line(text: str, old: str) -> str:
    """Say which line is most like the first line of what was sought."""
    sought = next((line.strip() for line in old.split("\n") if line.strip()), "")[:_LINE_SHOWN]
    lines: dict[str, int] = {}
    for number, line in enumerate(text.split("\n")[:_LINES_COMPARED], 1):
        lines.setdefault(line.strip()[:_LINE_SHOWN], number)
    found = sought if sought in lines else nearest_word(sought, lines)
    if not found:
        return " Read the file and copy the text exactly."
    return f" The nearest is line {lines[found]:,}: {found!r}. Copy the text exactly, blanks included."
