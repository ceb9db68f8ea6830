"""What is changed in every painted line for poorer terminals: no colour, or no character beyond ASCII."""

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter

_NO_COLOR = Style.parse("default on default")

_ASCII = {
    "…": ".",
    "✓": "+",
    "✗": "x",
    "⊘": "x",
    "↻": "r",
    "●": "*",
    "·": "-",
    "–": "-",
    "▌": ">",
    "▐": "#",
    "│": "|",
    "┃": "|",
    "█": "|",
    "▎": "|",
    "┆": ":",
    "└": "`",
    "▼": "v",
    "▲": "^",
    "›": ">",
    "↑": "^",
    "↓": "v",
    "←": "<",
    "→": ">",
    **dict(zip("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏", "|/-\\|/-\\|/", strict=True)),
}


class WithoutColor(LineFilter):
    """Takes every colour away; bold, underline and the like stay."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Give the segments in the terminal's own colours."""
        return [
            Segment(text, None if style is None else style + _NO_COLOR, control)
            for text, style, control in segments
        ]


class AsciiOnly(LineFilter):
    """Replaces every character beyond ASCII by one or two of the same width."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Give the segments in ASCII."""
        return [
            Segment(text if text.isascii() else to_ascii(text), style, control)
            for text, style, control in segments
        ]


def to_ascii(text: str) -> str:
    """Give `text` in ASCII, as wide as it was; what has no likeness becomes `?`."""
    return "".join(
        character if character.isascii() else _ASCII.get(character, "?" * cell_len(character))
        for character in text
    )
