"""Asks before one worker or the whole team is stopped, or a screen is left whose run goes on."""

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


class StopScreen(ModalScreen[bool]):
    """Gives true if what the question is about is to be done; `does` says what. `q` does not."""

    CSS_PATH = "dialog.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        ("enter", "answer(True)", "do it"),
        ("escape,q", "answer(False)", "back"),
    ]

    def __init__(self, question: Text, does: str = "stops it") -> None:
        super().__init__()
        self._question, self._does = question, does

    def compose(self) -> ComposeResult:
        """Give the question."""
        text = self._question.copy().append("\n\n")
        text.append("Enter", look.STRONG).append(f" {self._does}   ", look.MUTED)
        text.append("Esc", look.STRONG).append(" does not", look.MUTED)
        with Vertical(id="dialog"):
            yield Static(text, id="dialog-text")

    def action_answer(self, yes: bool) -> None:
        """Close with the answer."""
        self.dismiss(yes)


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


def about_leaving() -> Text:
    """Give the question about a screen whose run goes on without it."""
    return Text(
        "Leave this screen? The run goes on, and `swarm resume` opens it again. Ctrl-C stops the team."
    )
