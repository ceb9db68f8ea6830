"""The last line: the keys that work right now."""

from rich.text import Text
from textual.widget import Widget

from swarm.leader.tui import look
from swarm.leader.tui.keys import HELP_HINT, Hint
from swarm.leader.tui.widgets.sides import shortened


class Footer(Widget):
    """Shows hints; those that don't fit are left out from the end, but never `?`, which has them all."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._hints: tuple[Hint, ...] = ()

    def update(self, hints: tuple[Hint, ...]) -> None:
        """Show these hints."""
        if hints != self._hints:
            self._hints = hints
            self.refresh()

    def render(self) -> Text:
        """Give the line: with wide gaps, with narrow ones, or with fewer hints."""
        width = self.size.width
        hints = self._hints
        for gap in (3, 2):
            if _line(hints, gap).cell_len <= width:
                return _line(hints, gap)
        while len(hints) > 1 and _line(hints, 2).cell_len > width:
            last = -2 if hints[-1] == HELP_HINT else -1
            hints = tuple(hint for at, hint in enumerate(hints) if at != len(hints) + last)
        return shortened(_line(hints, 2), width)


def _line(hints: tuple[Hint, ...], gap: int) -> Text:
    line = Text(" ")
    for at, (key, what) in enumerate(hints):
        line.append(" " * gap if at else "").append(key, look.STRONG).append(f" {what}", look.MUTED)
    return line
