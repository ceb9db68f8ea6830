"""The first and the last lines of the approval card."""

from rich.text import Text
from textual.widget import Widget

from swarm.leader.hostile import clip, label
from swarm.leader.tui import look
from swarm.leader.tui.ages import age
from swarm.leader.tui.approval import Approval
from swarm.leader.tui.deck import Deck
from swarm.leader.tui.widgets.line_view import LineView
from swarm.leader.tui.widgets.sides import two_sides
from swarm.leader.tui.wrapping import wrap_words


def card_head(deck: Deck, now: float, width: int, *, plain: bool) -> Text:
    """Give the line that says who asks for what, where in the queue it is, and since when."""
    request = deck.shown
    if request is None:
        return Text("")
    name, style = look.badge(label(request.badge, max(width // 2, 8)), request.color, plain=plain)
    left = Text().append(name, style).append(f"  {label(request.tool, 24)}", look.STRONG)
    if not deck.gone:
        left.append("  wants your approval", look.MUTED)
    place = f"{deck.place} of {len(deck.queue)}" if deck.place else f"{len(deck.queue)} waiting"
    waited = age(now - request.asked_at)
    right = Text(f"{place}  ·  {label(request.id, 8)}  ·  {waited} ", style=look.MUTED)
    return two_sides(left, right, width)


class CardFoot(Widget):
    """Says what keeps the request from being answered, and how much of it is out of sight."""

    def __init__(self, approval: Approval, body: LineView) -> None:
        super().__init__(id="card-foot")
        self._approval, self._body = approval, body
        self._said: list[str] = []

    def say(self, text: str, width: int, limit: int) -> int:
        """Set what is said, in at most `limit` lines of `width` cells; give their number."""
        if self._approval.deck.gone:
            text = f"{text} This card takes no answer: Tab shows the next."
        elif self._approval.deck.sending:
            text = "Writing the decision …"
        elif self._approval.writing and not text:
            text = "Deny, and tell the agent:"
        self._said = wrap_words(text, width) if text else []
        if len(self._said) > max(limit, 1):
            rest = " ".join(self._said[limit - 1 :]) if limit > 1 else " ".join(self._said)
            self._said = [*self._said[: max(limit - 1, 0)], clip(rest, width)]
        return len(self._said)

    def render(self) -> Text:
        """Give the lines."""
        body = self._body
        lines = [Text(line, style=look.WARN) for line in self._said]
        if body.overflows:
            lines.append(_out_of_sight(body.top, body.below))
        return Text("\n").join(lines)


def _out_of_sight(above: int, below: int) -> Text:
    text = Text(style=look.ASKS)
    if below:
        text.append(f"▼ {below:,} more {'line' if below == 1 else 'lines'} below: PgDn   ")
    if above:
        text.append(f"▲ {above:,} above: PgUp")
    return text
