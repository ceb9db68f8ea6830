"""Asks before one worker or the whole team is stopped."""

from collections.abc import Callable
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from swarm.leader.core.views import TeamView, WorkerView
from swarm.leader.hostile import label
from swarm.leader.tui import look
from swarm.leader.tui.deck import GRACE


class StopScreen(ModalScreen[bool]):
    """Gives true if what the question is about is to be stopped: `Enter` does, `Esc` goes back.

    With `again`, so do `y` and `q`, the key that asked; else `q` goes back. Nothing is stopped by a key
    that comes too early, so that one that is held down, or a pasted text, does not answer.
    """

    CSS_PATH = "dialog.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        ("enter", "press('enter')", "stop"),
        ("y", "press('y')", "stop"),
        ("q", "press('q')", "stop or back"),
        ("escape", "dismiss(False)", "back"),
    ]

    def __init__(self, question: Text, monotonic: Callable[[], float], *, again: bool = False) -> None:
        super().__init__()
        self._question, self._monotonic = question, monotonic
        self._stopping = ("q", "y", "enter") if again else ("enter",)
        self._touched_at = monotonic()

    def compose(self) -> ComposeResult:
        """Give the question."""
        keys = ", ".join(key.capitalize() if len(key) > 1 else key for key in self._stopping)
        text = self._question.copy().append("\n\n")
        text.append(keys, look.STRONG).append(" stops it   ", look.MUTED)
        text.append("Esc", look.STRONG).append(" does not", look.MUTED)
        with Vertical(id="dialog"):
            yield Static(text, id="dialog-text")

    def action_press(self, key: str) -> None:
        """Stop, or go back with a `q` that does not stop; one that came too early makes the wait anew."""
        touched_at, self._touched_at = self._touched_at, self._monotonic()
        if key not in self._stopping:
            if key == "q":
                self.dismiss(False)
        elif self._touched_at - touched_at >= GRACE:
            self.dismiss(True)


def about_worker(worker: WorkerView, *, plain: bool = False) -> Text:
    """Give the question about one worker."""
    name, style = look.badge(label(worker.name, 40), worker.color, plain=plain)
    return Text("Stop ").append(name, style).append(" and everything it started?")


def about_team(team: TeamView) -> Text:
    """Give the question about all."""
    active = sum(not worker.phase.ended for worker in team.workers)
    be = "is" if active == 1 else "are"
    text = Text(f"Stop the whole team? {active} of {len(team.workers)} {be} not done yet")
    if team.queue:
        text.append(f", {len(team.queue)} of their calls {'waits' if len(team.queue) == 1 else 'wait'}")
    return text.append(".")
