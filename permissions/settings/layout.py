"""How a settings text is laid out: its line ends, its indentation, and text that fits in. Pure."""

import json
import re
from dataclasses import dataclass
from typing import Final

from swarm.permissions.settings.tree import Container, Object

_INDENT: Final = re.compile(r"[ \t]*")


@dataclass(frozen=True, slots=True)
class Layout:
    """The habits of one text. `unit` is one level of indentation, `newline` how lines end."""

    unit: str
    newline: str
    many_lines: bool

    def list_with(self, item: str, indent: str) -> str:
        """Write a list of one item whose line is indented by `indent`."""
        if not self.many_lines:
            return f"[{item}]"
        return f"[{self.newline}{indent}{self.unit}{item}{self.newline}{indent}]"

    def object_with(self, member: str, indent: str) -> str:
        """Write an object of one member whose line is indented by `indent`."""
        if not self.many_lines:
            return f"{{{member}}}"
        return f"{{{self.newline}{indent}{self.unit}{member}{self.newline}{indent}}}"


def layout_of(text: str, root: Object | None) -> Layout:
    """Find out the habits of a text; where it shows none, two blanks and a line feed."""
    newline = "\r\n" if text.find("\r\n") == text.find("\n") - 1 and "\r\n" in text else "\n"
    if root is None:
        return Layout("  ", newline, True)
    inside = text[root.start : root.end]
    if not root.items:
        return Layout("  ", newline, "\n" in inside or len(inside.strip("{} ")) == 0)
    first = text[root.start : root.items[0].start]
    unit = indent_at(text, root.items[0].start) if "\n" in first else ""
    outer = indent_at(text, root.start)
    return Layout(unit.removeprefix(outer) or "  ", newline, "\n" in inside)


def indent_at(text: str, offset: int) -> str:
    """Give the blanks that begin the line of an offset."""
    found = _INDENT.match(text, text.rfind("\n", 0, offset) + 1)
    return found.group() if found else ""


def begins_line(text: str, offset: int) -> bool:
    """Whether only blanks stand before an offset in its line."""
    return not text[text.rfind("\n", 0, offset) + 1 : offset].strip(" \t")


def inner_indent(text: str, container: Container, unit: str) -> str:
    """Give the indentation of what a container holds, as its last item has it."""
    if container.items and begins_line(text, container.items[-1].start):
        return indent_at(text, container.items[-1].start)
    return indent_at(text, container.start) + unit


def quoted(text: str) -> str:
    """Write a text as JSON, with everything escaped that would not show."""
    return json.dumps(text, ensure_ascii=not text.isprintable())
