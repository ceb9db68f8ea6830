"""The approval card: paints what an `Approval` holds. Takes no keys but those of its message line."""

from collections.abc import Callable

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widget import Widget
from textual.widgets import Input

from swarm.leader.hostile import escape
from swarm.leader.tui.approval import Approval
from swarm.leader.tui.grant_lines import grant_lines, place_row
from swarm.leader.tui.request_lines import request_lines
from swarm.leader.tui.widgets.card_edges import CardFoot, card_head
from swarm.leader.tui.widgets.line_view import LineView
from swarm.leader.tui.wrapping import Line

SIDE = 2
"""Cells that the card's edge and padding take."""

SHORT = 10
"""The height below which what would run comes before what is said about it, so that it is in sight."""

WHY_LINES = 2
"""Lines that an explanation may take; the whole of it is what `swarm pending` shows."""

LEAST_SEEN = 2
"""Rows for the request and for saying what of it is out of sight, however much there is to say beside."""


class CardBody(LineView):
    """The lines of the card, scrolled where they don't fit. `on_scroll` is called when they are."""

    def __init__(self, on_scroll: Callable[[], object]) -> None:
        super().__init__(id="card-body")
        self.lines: list[Line] = []
        self._on_scroll = on_scroll

    def row_count(self) -> int:
        """Give the number of lines."""
        return len(self.lines)

    def row(self, at: int) -> Line:
        """Give one line."""
        return self.lines[at]

    def scrolled(self) -> None:
        """Let the foot count anew what is below."""
        self._on_scroll()


class CardHead(Widget):
    """Who asks for what, the place in the queue and the age."""

    def __init__(self, approval: Approval, clock: Callable[[], float], *, plain: bool) -> None:
        super().__init__(id="card-head")
        self._approval, self._clock, self._plain = approval, clock, plain

    def render(self) -> Text:
        """Give the line."""
        return card_head(self._approval.deck, self._clock(), self.size.width, plain=self._plain)


class ApprovalCard(Vertical):
    """Hidden while no request is shown. `fit` gives it the room that the screen has for it."""

    def __init__(
        self, approval: Approval, clock: Callable[[], float], *, plain: bool = False, id: str | None = None
    ) -> None:
        super().__init__(id=id)
        self._approval = approval
        self._drawn: tuple[object, ...] = ()
        self._place: int | None = None
        self._head = CardHead(approval, clock, plain=plain)
        self.body = CardBody(self._show_rest)
        self._foot = CardFoot(approval, self.body)
        self._message = Input(placeholder="why not, for the agent", id="card-message", compact=True)

    def _show_rest(self) -> None:
        self._foot.refresh()

    def compose(self) -> ComposeResult:
        """Give head, body, foot and the line for a message."""
        yield self._head
        yield self.body
        yield self._foot
        yield self._message

    def tick(self) -> None:
        """Show the age anew."""
        self._head.refresh()

    def fit(self, width: int, height: int) -> None:
        """Paint the card for `width` cells within `height` rows."""
        approval = self._approval
        self.display = approval.shown is not None
        if approval.shown is None:
            return
        body, foot = self.body, self._foot
        self._fill(body, max(width - SIDE - 1, 8), short=height < SHORT)
        self._show_message(self._message)
        limit = height - 1 - int(approval.writing) - LEAST_SEEN
        said = foot.say(escape(approval.deck.gone or approval.note), max(width - SIDE, 8), limit)
        room = max(height - 1 - said - int(approval.writing), 1)
        if len(body.lines) > room and room > 1:
            room -= 1
        foot.styles.height = said + int(len(body.lines) > room)
        rows = min(len(body.lines), room)
        body.styles.height = rows
        self._follow_place(body, rows)
        for widget in (self._head, body, foot):
            widget.refresh()
        self.set_class(bool(approval.deck.gone), "-gone")

    def _fill(self, body: CardBody, width: int, *, short: bool) -> None:
        """Make the lines, if what they say has changed; a new request begins at its top."""
        shown, grant = self._approval.shown, self._approval.grant
        drawn = (shown, grant, (width, short))
        if shown is None or (self._drawn and _are_same(drawn, self._drawn)):
            return
        if not self._drawn or self._drawn[0] is not shown or (self._drawn[1] is None) != (grant is None):
            body.top = 0
        if grant is None:
            body.lines = request_lines(shown, width, command_first=short, why_lines=WHY_LINES)
        else:
            body.lines = grant_lines(grant, width)
        self._drawn = drawn

    def _follow_place(self, body: CardBody, rows: int) -> None:
        """Scroll to the place that the person has just chosen, if it is out of sight."""
        grant = self._approval.grant
        before, self._place = self._place, grant.at if grant is not None else None
        if grant is not None and before not in (None, grant.at):
            at = place_row(body.lines)
            body.top = min(max(body.top, at - rows + 1), at)

    def _show_message(self, message: Input) -> None:
        writing = self._approval.writing
        if writing and not message.display:
            message.value = ""
        message.display = writing
        if writing:
            message.focus()
        elif message.has_focus:
            self.screen.set_focus(None)


def _are_same(drawn: tuple[object, ...], before: tuple[object, ...]) -> bool:
    """Whether the very same request and grant were drawn in the same shape."""
    return drawn[0] is before[0] and drawn[1] is before[1] and drawn[2] == before[2]
