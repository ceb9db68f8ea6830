"""The line above the transcript: whose it is, and what lies below when the person has scrolled up."""

from rich.text import Text
from textual.widget import Widget

from swarm.leader.core.views import WorkerView
from swarm.leader.hostile import label
from swarm.leader.tui import look
from swarm.leader.tui.phases import phase_look
from swarm.leader.tui.widgets.sides import two_sides


class TranscriptTitle(Widget):
    """Shows the chosen worker's badge, kind, phase, process and cost."""

    def __init__(self, *, plain: bool = False, id: str | None = None) -> None:
        super().__init__(id=id)
        self._plain = plain
        self._worker: WorkerView | None = None
        self._below = ""

    def update(self, worker: WorkerView | None, *, following: bool, new: int) -> None:
        """Show `worker`; `new` lines lie below if the transcript is not followed."""
        count = f"{new:,} new lines below" if new else "more below"
        below = "" if following else f"▼ {count}: End "
        if (worker, below) != (self._worker, self._below):
            self._worker, self._below = worker, below
            self.refresh()

    def render(self) -> Text:
        """Give the line."""
        worker = self._worker
        if worker is None:
            return Text(" no workers", style=look.FAINT)
        shown = label(worker.name, max(self.size.width // 3, 8))
        name, style = look.badge(shown, worker.color, plain=self._plain)
        line = Text(" ").append(name, style)
        line.append(f"  {label(worker.kind, 12)}", look.MUTED)
        line.append(f"  {phase_look(worker).word}", phase_look(worker).style)
        for fact in _facts(worker):
            line.append(f"  {fact}", look.FAINT)
        return two_sides(line, Text(self._below, style=look.ASKS), self.size.width)


def _facts(worker: WorkerView) -> list[str]:
    facts = [f"pid {worker.pid}"] if worker.pid is not None else []
    if worker.attempt > 1:
        facts.append(f"attempt {worker.attempt}")
    if worker.tokens:
        facts.append(f"{worker.tokens:,} tokens")
    if worker.cost:
        facts.append(f"${worker.cost:.2f}")
    return facts
