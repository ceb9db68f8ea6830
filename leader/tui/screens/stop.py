"""Asks before one worker is stopped."""

from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from swarm.leader.core.views import WorkerView
from swarm.leader.hostile import label
from swarm.leader.tui import look


class StopScreen(ModalScreen[bool]):
    """Gives true if the worker is to be stopped."""

    CSS_PATH = "dialog.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        ("enter", "answer(True)", "stop it"),
        ("escape,q", "answer(False)", "back"),
    ]

    def __init__(self, worker: WorkerView, *, plain: bool = False) -> None:
        super().__init__()
        self._worker, self._plain = worker, plain

    def compose(self) -> ComposeResult:
        """Give the question."""
        name, style = look.badge(label(self._worker.name, 40), self._worker.color, plain=self._plain)
        text = Text("Stop ").append(name, style).append(" and everything it started?\n\n")
        text.append("Enter", look.STRONG).append(" stops it   ", look.MUTED)
        text.append("Esc", look.STRONG).append(" does not", look.MUTED)
        with Vertical(id="dialog"):
            yield Static(text, id="dialog-text")

    def action_answer(self, stop: bool) -> None:
        """Close with the answer."""
        self.dismiss(stop)
