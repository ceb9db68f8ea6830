"""Which request is in the person's hands. Pure: every function gives a new deck, time is given.

One request is shown and pinned: nothing that arrives or goes changes it. What it shows is the very
value that will be answered. After any change of what is shown, keys are ignored for `GRACE` seconds.

    empty ── arrives ──> shown ── answered / moved on ──> next shown, or empty
                           └─ left the queue ──> gone: takes no answer ── moved on ──> next
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from swarm.leader.core.views import RequestView
from swarm.leader.tui.endings import GONE, ending_sentence

GRACE = 0.25
CHANGED = "It is not what it was when you began to read."

Queue = tuple[RequestView, ...]


@dataclass(frozen=True, slots=True)
class Deck:
    """`aside` holds the ids that the person put off; `gone` says why the shown one takes no answer.

    `sending` is the id whose answer is under way. `changed_at` is when what is shown last changed.
    """

    queue: Queue = ()
    shown: RequestView | None = None
    gone: str = ""
    sending: str = ""
    aside: frozenset[str] = frozenset()
    changed_at: float = float("-inf")

    @property
    def place(self) -> int:
        """The shown request's place in the queue, counted from 1; 0 if it is not there."""
        ids = [request.id for request in self.queue]
        return ids.index(self.shown.id) + 1 if self.shown is not None and self.shown.id in ids else 0


def receive(deck: Deck, queue: Queue, now: float, ended: Mapping[str, str]) -> Deck:
    """Take a new queue. What is shown stays; it may turn out to be gone, as `ended` says by its id."""
    aside = deck.aside & {request.id for request in queue}
    deck = replace(deck, queue=queue, aside=aside)
    if deck.shown is None:
        return _show(deck, _next_fresh(deck), now)
    how = ending_sentence(ended.get(deck.shown.id, ""))
    if deck.gone or deck.sending == deck.shown.id:
        return replace(deck, gone=how) if deck.gone == GONE else deck
    same = [request for request in queue if request.id == deck.shown.id]
    if not same:
        return replace(deck, gone=how, changed_at=now)
    if same[0].digest != deck.shown.digest:
        return replace(deck, gone=CHANGED, changed_at=now)
    return deck


def accepts(deck: Deck, now: float) -> bool:
    """Whether a key may act on what is shown."""
    return deck.shown is not None and not deck.gone and not deck.sending and now - deck.changed_at >= GRACE


def touched(deck: Deck, now: float) -> Deck:
    """Start the grace anew, because something else is on the card now."""
    return replace(deck, changed_at=now)


def move(deck: Deck, steps: int, now: float) -> Deck:
    """Show the request `steps` further in the queue, round and round; also one that was put aside."""
    if deck.sending or not deck.queue:
        return deck if deck.sending else _show(deck, None, now)
    if deck.shown is None or not deck.place:
        return _show(deck, deck.queue[0 if steps > 0 else -1], now)
    following = deck.queue[(deck.place - 1 + steps) % len(deck.queue)]
    return deck if following.id == deck.shown.id and not deck.gone else _show(deck, following, now)


def set_aside(deck: Deck, now: float) -> Deck:
    """Put the shown request off and show the next that was not, if there is one."""
    if deck.shown is None or deck.sending:
        return deck
    if deck.place:
        deck = replace(deck, aside=deck.aside | {deck.shown.id})
    return _show(deck, _next_fresh(deck), now)


def sending(deck: Deck) -> Deck:
    """Say that the answer to what is shown is under way."""
    return deck if deck.shown is None else replace(deck, sending=deck.shown.id)


def answered(deck: Deck, now: float) -> Deck:
    """Go on to the next after an answer was taken."""
    done = deck.sending
    deck = replace(deck, sending="", queue=tuple(r for r in deck.queue if r.id != done))
    return _show(deck, _next_fresh(deck), now)


def refused(deck: Deck, why: str, now: float) -> Deck:
    """Stay on the shown request after its answer was not taken; with `why` it takes none any more."""
    return replace(deck, sending="", gone=why, changed_at=now)


def _next_fresh(deck: Deck) -> RequestView | None:
    """Give the first request after the shown one's place that was not put aside."""
    start = deck.place
    around = (*deck.queue[start:], *deck.queue[:start])
    return next((request for request in around if request.id not in deck.aside), None)


def _show(deck: Deck, request: RequestView | None, now: float) -> Deck:
    return replace(deck, shown=request, gone="", changed_at=now)
