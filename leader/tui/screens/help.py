"""The help: every key, made from the key table."""

from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from swarm.leader.tui import look
from swarm.leader.tui.keys import help_tables

KEY_WIDTH = 16


class HelpScreen(ModalScreen[None]):
    """Any of its closing keys leads back; no other key does anything beneath it."""

    CSS_PATH = "dialog.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [("escape,question_mark,enter,q", "dismiss", "close")]

    def __init__(self, *, visiting: bool = False) -> None:
        super().__init__()
        self._visiting = visiting

    def compose(self) -> ComposeResult:
        """Give the scrolled text."""
        with VerticalScroll(id="dialog"):
            yield Static(help_text(visiting=self._visiting), id="dialog-text")


def help_text(*, visiting: bool = False) -> Text:
    """Give all keys under their headings."""
    text = Text()
    for heading, hints in help_tables(visiting=visiting):
        text.append(f"{heading}\n", look.STRONG)
        for key, what in hints:
            text.append(f"  {key:<{KEY_WIDTH}}", look.LINK).append(f"{what}\n", look.TEXT)
        text.append("\n")
    return text.append("Esc closes", look.MUTED)
