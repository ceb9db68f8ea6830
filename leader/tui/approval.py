"""What the person does with requests, one key at a time. Gives answers to be sent; sends none itself.

An answer is made only of what is shown: its id and digest are those of the pinned request.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from swarm.leader.core.views import AnswerToRequest, RequestView
from swarm.leader.errors import AlreadyDecided, DigestMismatch, LeaderError, UnknownRequest
from swarm.leader.tui import deck as cards
from swarm.leader.tui import grants
from swarm.leader.tui.deck import Deck, Queue
from swarm.leader.tui.keys import Situation

EMPTY: Mapping[str, str] = MappingProxyType({})


class Approval:
    """`grant` is there while "always" is shown, `writing` while a message is written.

    `note` is what the card has to say beside the request: why something was not done.
    """

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self.deck = Deck()
        self.grant: grants.Grant | None = None
        self.writing = False
        self.note = ""

    @property
    def shown(self) -> RequestView | None:
        """The request on the card."""
        return self.deck.shown

    @property
    def situation(self) -> Situation:
        """What keys act on."""
        if self.deck.shown is None:
            return Situation.WATCHING
        if self.writing:
            return Situation.WRITING
        if self.deck.gone:
            return Situation.GONE
        if self.deck.sending:
            return Situation.SENDING
        return Situation.ASKED if self.grant is None else Situation.GRANTING

    def receive(self, queue: Queue, ended: Mapping[str, str] = EMPTY) -> None:
        """Take a new queue; `ended` says how requests ended, by their ids."""
        before = self.deck.shown
        self.deck = cards.receive(self.deck, queue, self._monotonic(), ended)
        if self.deck.gone:
            self.grant = None
        if self.deck.shown is not before:
            self.grant, self.writing, self.note = None, False, ""

    def start_grace(self) -> None:
        """Ignore keys for a moment, because the card came into sight just now."""
        self.deck = cards.touched(self.deck, self._monotonic())

    def allow_once(self) -> AnswerToRequest | None:
        """Allow what is shown."""
        if self._accepts(Situation.ASKED) and self.deck.shown is not None:
            return self._send(AnswerToRequest(self.deck.shown.id, self.deck.shown.digest, "allow_once"))
        return None

    def deny(self, message: str = "") -> AnswerToRequest | None:
        """Deny what is shown; with a message only while one is written."""
        wanted = Situation.WRITING if self.writing else Situation.ASKED
        if self._accepts(wanted) and self.deck.shown is not None:
            return self._send(
                AnswerToRequest(self.deck.shown.id, self.deck.shown.digest, "deny", message=message)
            )
        return None

    def begin_message(self) -> None:
        """Begin to write a message that goes with a denial."""
        if self._accepts(Situation.ASKED):
            self.writing, self.note = True, ""

    def begin_grant(self) -> None:
        """Show what "always" would write, or say why there is nothing."""
        if not self._accepts(Situation.ASKED) or self.deck.shown is None:
            return
        begun = grants.begin(self.deck.shown)
        if isinstance(begun, str):
            self.note = begun
        else:
            self.grant, self.note = begun, ""
            self.start_grace()

    def confirm_grant(self) -> AnswerToRequest | None:
        """Write the rules and allow."""
        shown, grant = self.deck.shown, self.grant
        if grant is None or shown is None or not grant.picked or not self._accepts(Situation.GRANTING):
            return None
        return self._send(
            AnswerToRequest(shown.id, shown.digest, "allow_always", offers=grant.picked, layer=grant.layer)
        )

    def tell(self, request: RequestView, number: int, sentence: str) -> None:
        """Say beside an offer what it would let through, if "always" is still shown for this very request.

        Changes nothing that is answered, and no grace.
        """
        if self.grant is not None and self.deck.shown is request:
            self.grant = grants.tell(self.grant, number, sentence)

    def change_grant(self, *, layer_steps: int = 0, toggled: int | None = None) -> None:
        """Choose another layer, or take a rule in or out."""
        if self.grant is not None:
            self.grant = grants.next_layer(self.grant, layer_steps)
            if toggled is not None:
                self.grant = grants.toggle(self.grant, toggled)

    def back(self) -> None:
        """Leave the message or the grant; else put the request aside."""
        self.note = ""
        if self.writing or self.grant is not None:
            self.writing, self.grant = False, None
            self.start_grace()
        else:
            self.deck = cards.set_aside(self.deck, self._monotonic())

    def move(self, steps: int) -> None:
        """Go to another request of the queue."""
        if not self.writing and self.grant is None:
            self.note = ""
            self.deck = cards.move(self.deck, steps, self._monotonic())

    def settled(self) -> None:
        """The answer was taken: go on."""
        self.grant, self.writing, self.note = None, False, ""
        self.deck = cards.answered(self.deck, self._monotonic())

    def failed(self, error: LeaderError) -> None:
        """The answer was not taken: say so; what can't be answered any more takes no other."""
        final = isinstance(error, AlreadyDecided | DigestMismatch | UnknownRequest)
        self.grant, self.note = None, "" if final else str(error)
        self.deck = cards.refused(self.deck, str(error) if final else "", self._monotonic())
        self.receive(self.deck.queue)

    def _accepts(self, wanted: Situation) -> bool:
        """Tell whether a key may act. One that comes too early makes the wait begin anew.

        So a key that is held down, or a pasted text, answers nothing that it runs into.
        """
        now = self._monotonic()
        if self.situation is not wanted or cards.accepts(self.deck, now):
            return self.situation is wanted
        self.deck = cards.touched(self.deck, now)
        return False

    def _send(self, answer: AnswerToRequest) -> AnswerToRequest:
        self.deck = cards.sending(self.deck)
        self.note = ""
        return answer
