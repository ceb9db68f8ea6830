"""The table of all workers, who waits for the person on top. Its spinner's clock redraws only spinners."""

from collections.abc import Callable

from rich.cells import cell_len
from rich.style import Style
from textual import events
from textual.geometry import Region
from textual.message import Message

from swarm.leader.core.views import WorkerView
from swarm.leader.hostile import label
from swarm.leader.tui import look
from swarm.leader.tui.ages import age
from swarm.leader.tui.phases import FRAMES, SPIN, STILL, in_rows, phase_look
from swarm.leader.tui.widgets.line_view import LineView
from swarm.leader.tui.wrapping import Line

SPIN_SECONDS = 0.05
PHASE_WIDTH = 10
NAME_WIDTH = 18
GLYPH_AT = 2


class WorkerTable(LineView):
    """`chosen` is the name of the chosen worker; `rows` are the workers as they are ordered."""

    class Chosen(Message):
        """The person chose a worker."""

        def __init__(self, worker: str) -> None:
            super().__init__()
            self.worker = worker

    def __init__(
        self, clock: Callable[[], float], *, plain: bool = False, still: bool = False, id: str | None = None
    ) -> None:
        super().__init__(id=id)
        self._clock = clock
        self._plain = plain
        self._still = still
        self._frame = 0
        self.rows: tuple[WorkerView, ...] = ()
        self.chosen = ""
        self._known: dict[str, tuple[tuple[object, ...], Line]] = {}

    def on_mount(self) -> None:
        """Start the spinner's own clock."""
        if not self._still:
            self.set_interval(SPIN_SECONDS, self._spin)

    def _spin(self) -> None:
        self._frame = (self._frame + 1) % len(FRAMES)
        visible = self.rows[self.top : self.top + self.size.height]
        spinning = (y for y, worker in enumerate(visible) if phase_look(worker).glyph == SPIN)
        cells = [Region(GLYPH_AT, y, 1, 1) for y in spinning]
        if cells:
            self.refresh(*cells)

    def row_count(self) -> int:
        """Give the number of workers."""
        return len(self.rows)

    def update(self, workers: tuple[WorkerView, ...]) -> None:
        """Show the workers as they are now; the choice stays."""
        rows = in_rows(workers)
        if not self.chosen and rows:
            self._choose(rows[0].name)
        self.rows = rows
        self.top = max(min(self.top, len(rows) - self.size.height), 0)
        self.refresh()

    def row(self, at: int) -> Line:
        """Give the row of one worker: glyph, badge, phase, age and what it does."""
        worker = self.rows[at]
        seen = (worker, self._age(worker), worker.name == self.chosen, self._paint[1])
        known = self._known.get(worker.name)
        if known is None or known[0] != seen:
            known = self._known[worker.name] = (seen, self._make_row(*seen))
        line = known[1]
        if line[1][0] != SPIN:
            return line
        return (line[0], (self._spinner(), line[1][1]), *line[2:])

    def _make_row(self, worker: WorkerView, aged: str, chosen: bool, width: int) -> Line:
        look_of = phase_look(worker)
        name_width = min(NAME_WIDTH, max(width // 4, 8))
        name, style = look.badge(label(worker.name, name_width - 2), worker.color, plain=self._plain)
        pad = " " * max(name_width - cell_len(name), 0)
        word = f" {look_of.word:<{PHASE_WIDTH}}"
        again = f" ↻{worker.attempt - 1}" if worker.attempt > 1 else ""
        used = 4 + name_width + len(word) + 5 + len(again)
        activity = label(_activity(worker), width - used - 1)
        return (
            ("▌ " if chosen else "  ", look.ASKS),
            (look_of.glyph, look_of.style),
            (" ", ""),
            (name, style),
            (pad + word, look_of.style),
            (f"{aged:>4} ", look_of.style if worker.waiting_requests else look.FAINT),
            (f" {activity}", look.MUTED if worker.phase.ended else look.TEXT),
            (again, look.WARN),
        )

    def _spinner(self) -> str:
        return STILL if self._still else FRAMES[self._frame]

    def _age(self, worker: WorkerView) -> str:
        began = worker.since if worker.oldest_request is None else worker.oldest_request
        return age(self._clock() - began)

    def row_style(self, at: int) -> Style | None:
        """Set the chosen row off."""
        return look.SELECTED if self.rows[at].name == self.chosen else None

    def choose_row(self, at: int) -> None:
        """Choose the worker of this row, if there is one, and bring it in sight."""
        if not 0 <= at < len(self.rows):
            return
        self._choose(self.rows[at].name)
        if not self.top <= at < self.top + self.size.height:
            self.scroll_to_row(at if at < self.top else at - self.size.height + 1)
        self.refresh()

    def choose(self, name: str) -> None:
        """Choose the worker of this name, if there is one."""
        for at, worker in enumerate(self.rows):
            if worker.name == name:
                self.choose_row(at)

    def choose_next(self, steps: int) -> None:
        """Choose the worker `steps` rows further down."""
        names = [worker.name for worker in self.rows]
        at = names.index(self.chosen) if self.chosen in names else 0
        self.choose_row(max(min(at + steps, len(names) - 1), 0))

    def _choose(self, name: str) -> None:
        self.chosen = name
        self.post_message(self.Chosen(name))

    def on_click(self, event: events.Click) -> None:
        """Choose with the mouse."""
        self.choose_row(self.top + event.y)


def _activity(worker: WorkerView) -> str:
    if worker.paused:
        return f"paused  {worker.activity}"
    if worker.waiting_requests > 1:
        return f"{worker.waiting_requests} requests  {worker.activity}"
    if worker.activity or not worker.needs or worker.phase.ended:
        return worker.activity
    return f"needs {', '.join(worker.needs)}"
