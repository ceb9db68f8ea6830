"""The last line: the keys that work right now."""

from rich.text import Text
from textual.widget import Widget

from swarm.leader.tui import look
from swarm.leader.tui.keys import Hint
from swarm.leader.tui.widgets.sides import shortened


class Footer(Widget):
    """Shows hints; those that don't fit are left out from the end, and `?` has them all."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._hints: tuple[Hint, ...] = ()

    def update(self, hints: tuple[Hint, ...]) -> None:
        """Show these hints."""
        if hints != self._hints:
            self._hints = hints
            self.refresh()

    def render(self) -> Text:
        """Give the line."""
        line = Text(" ")
        for key, what in self._hints:
            line.append(key, look.STRONG).append(f" {what}   ", look.MUTED)
        line.rstrip()
        return shortened(line, self.size.width)
