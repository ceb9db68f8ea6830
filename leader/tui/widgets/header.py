"""The lines on top: the team, its mode, how many wait for the person, and what the leader has to say."""

from collections.abc import Callable

from rich.text import Text
from textual.widget import Widget

from swarm.leader.core.views import TeamView
from swarm.leader.hostile import label
from swarm.leader.tui import look
from swarm.leader.tui.ages import age, duration
from swarm.leader.tui.deck import Queue
from swarm.leader.tui.widgets.sides import two_sides

NOTICES_SHOWN = 2
ENDINGS = {
    0: ("all workers succeeded", look.GOOD),
    1: ("a worker failed", look.BAD),
    3: ("a needed call was denied or left unanswered", look.BAD),
    130: ("interrupted", look.WARN),
}


def header_height(team: TeamView) -> int:
    """Give the number of lines that the header takes."""
    return 1 + min(len(team.notices), NOTICES_SHOWN)


class Header(Widget):
    """`stop_hint` says what the next Ctrl-C does while the team stops.

    With `visiting` it says that the run is led by another process.
    """

    def __init__(
        self, clock: Callable[[], float], *, visiting: bool = False, id: str | None = None
    ) -> None:
        super().__init__(id=id)
        self._clock, self._visiting = clock, visiting
        self._team: TeamView | None = None
        self._mode = ""
        self._queue: Queue = ()
        self.stop_hint = ""

    def update(self, team: TeamView, mode: str, queue: Queue) -> None:
        """Show the team, the mode in force and how many of `queue` wait for how long."""
        shown = (team, mode, queue)
        if all(new is old for new, old in zip(shown, (self._team, self._mode, self._queue), strict=True)):
            return
        grown = self._team is None or len(team.notices) != len(self._team.notices)
        self._team, self._mode, self._queue = shown
        self.refresh(layout=grown)

    def render(self) -> Text:
        """Give the team's line and the last notices."""
        if self._team is None:
            return Text("")
        width = self.size.width
        left = Text(" swarm ", style=look.STRONG)
        left.append(label(self._team.name, max(width // 3, 8)), look.TEXT)
        left.append(f"  {self._mode}", look.WARN if self._mode == "bypassPermissions" else look.FAINT)
        if self._visiting:
            left.append("  led elsewhere", look.LINK)
        lines = [two_sides(left, self._state(self._team), width)]
        notices = self._team.notices[-NOTICES_SHOWN:]
        earlier = len(self._team.notices) - len(notices)
        for at, notice in enumerate(notices):
            more = f"  ({earlier} earlier)" if earlier and at == 0 else ""
            lines.append(Text(f" ! {label(notice, width - 4 - len(more))}{more}", style=look.WARN))
        return Text("\n").join(lines)

    def _state(self, team: TeamView) -> Text:
        if team.exit_code is not None:
            word, style = ENDINGS.get(team.exit_code, ("ended", look.MUTED))
            return Text(f"ended, exit {team.exit_code}: {word} ", style=style)
        if team.stopping or self.stop_hint:
            return Text(self.stop_hint or "stopping ", style=look.WARN)
        if self._queue:
            oldest = age(self._clock() - min(request.asked_at for request in self._queue))
            return Text(f"{len(self._queue)} waiting, oldest {oldest} ", style=look.ASKS)
        active = sum(not worker.phase.ended for worker in team.workers)
        ran = duration(self._clock() - team.started_at)
        return Text(f"{active} of {len(team.workers)} at work  {ran} ", style=look.MUTED)
