"""The person decides about what they saw: whatever arrives, goes or changes meanwhile."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from swarm.ipc.messages import Preview
from swarm.leader.core.views import AnswerToRequest, RequestView
from swarm.leader.errors import AlreadyDecided, JournalError
from swarm.leader.tui.approval import Approval
from swarm.leader.tui.deck import CHANGED, GRACE
from swarm.leader.tui.endings import GONE
from swarm.leader.tui.keys import Situation
from swarm.leader.tui.screens.presses import PRESSES
from swarm.permissions.model import Behavior, Layer, Offer

ALL_LAYERS = (Layer.SESSION, Layer.LOCAL, Layer.PROJECT)


def request(number: int, digest: str = "", offers: tuple[Offer, ...] = ()) -> RequestView:
    return RequestView(
        id=f"r{number}",
        worker="w",
        color="#009e73",
        agent=(),
        tool="Bash",
        input={"command": "ls"},
        cwd="/p",
        preview=Preview(title=f"call {number}"),
        digest=digest or f"d{number}",
        asked_at=0.0,
        why="no rule covers it",
        offers=offers,
    )


class Hands:
    """An approval whose clock the test moves."""

    def __init__(self, *queue: RequestView) -> None:
        self.now = 100.0
        self.approval = Approval(lambda: self.now)
        self.approval.receive(queue)
        self.now += GRACE

    def card(self) -> str:
        return "" if self.approval.shown is None else self.approval.shown.id

    def told(self) -> tuple[str | None, ...]:
        return () if self.approval.grant is None else self.approval.grant.told


def test_keys_are_ignored_during_the_grace_after_a_card_appears() -> None:
    hands = Hands()
    hands.approval.receive((request(1),))
    hands.now += GRACE * 0.9
    assert hands.approval.allow_once() is None
    hands.now += GRACE
    assert hands.approval.allow_once() == AnswerToRequest("r1", "d1", "allow_once")


def test_a_key_that_is_held_down_answers_one_request_and_none_that_comes_up_after_it() -> None:
    hands = Hands(*map(request, range(1, 6)))
    given = []
    for _ in range(100):
        if hands.approval.allow_once() is not None:
            given.append(hands.card())
            hands.approval.settled()
        hands.now += GRACE / 8
    assert given == ["r1"]
    hands.now += GRACE
    assert hands.approval.allow_once() is not None


def test_a_new_request_does_not_change_the_card() -> None:
    hands = Hands(request(2))
    hands.approval.receive((request(1), request(2)))
    assert hands.approval.deny() == AnswerToRequest("r2", "d2", "deny")


def test_a_request_that_left_the_queue_takes_no_answer_and_stays_to_be_read() -> None:
    hands = Hands(request(1), request(2))
    hands.approval.receive((request(2),))
    hands.now += GRACE
    assert hands.approval.allow_once() is None
    assert hands.approval.deck.gone == GONE
    assert hands.card() == "r1"
    hands.approval.move(1)
    assert hands.card() == "r2"


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("orphaned: killed by SIGKILL", "Its worker is gone: killed by SIGKILL."),
        ("withdrawn: the turn was cut off.", "The agent no longer wants it: the turn was cut off."),
        ("withdrawn: ", "The agent no longer wants it."),
        ("allowed by the classifier", "It was allowed by the classifier."),
        ("denied by a person", "It was denied from another shell."),
    ],
)
def test_a_card_says_how_its_request_ended_elsewhere_even_if_that_is_told_later(
    how: str, said: str
) -> None:
    hands = Hands(request(1), request(2))
    hands.approval.receive((request(2),))
    assert hands.approval.deck.gone == GONE
    hands.approval.receive((request(2),), {"r1": how, "r2": "never mind"})
    assert hands.approval.deck.gone == said
    assert hands.card() == "r1"


def test_a_request_with_other_content_under_its_id_takes_no_answer() -> None:
    hands = Hands(request(1))
    hands.approval.receive((request(1, "other"),))
    hands.now += GRACE
    assert hands.approval.deny() is None
    assert hands.approval.deck.gone == CHANGED


def test_an_answer_under_way_takes_no_second_one() -> None:
    hands = Hands(request(1))
    assert hands.approval.allow_once() is not None
    assert hands.approval.deny() is None
    hands.approval.settled()
    assert hands.card() == ""


def test_after_an_answer_the_next_is_shown_and_protected_by_the_grace() -> None:
    hands = Hands(request(1), request(2))
    hands.approval.allow_once()
    hands.approval.settled()
    assert hands.card() == "r2"
    assert hands.approval.allow_once() is None


def test_always_shows_the_rules_first_and_writes_those_chosen_to_the_place_chosen() -> None:
    offers = (
        Offer(Behavior.ALLOW, "Bash(a:*)", ALL_LAYERS),
        Offer(Behavior.ALLOW, "Bash(b:*)", ALL_LAYERS),
    )
    hands = Hands(request(1, offers=offers))
    hands.approval.begin_grant()
    assert hands.approval.confirm_grant() is None, "the grace holds for the rules too"
    hands.approval.change_grant(layer_steps=1)
    hands.approval.change_grant(toggled=0)
    hands.now += GRACE
    answer = hands.approval.confirm_grant()
    assert answer == AnswerToRequest("r1", "d1", "allow_always", offers=offers[1:], layer=Layer.PROJECT)


def test_an_effect_is_told_of_the_very_request_that_is_shown_and_changes_no_choice_and_no_grace() -> None:
    offers = (Offer(Behavior.ALLOW, "Bash(a:*)", ALL_LAYERS),)
    hands = Hands(request(1, offers=offers))
    hands.approval.begin_grant()
    deck, shown = hands.approval.deck, hands.approval.shown
    assert shown is not None
    hands.approval.tell(request(1, offers=offers), 0, "of another")
    assert hands.told() == (None,)
    hands.now += GRACE
    hands.approval.tell(shown, 0, "all of it")
    assert hands.told() == ("all of it",)
    assert hands.approval.deck is deck
    answer = hands.approval.confirm_grant()
    assert answer == AnswerToRequest("r1", "d1", "allow_always", offers=offers, layer=Layer.LOCAL)


def test_always_without_a_chosen_rule_writes_nothing() -> None:
    hands = Hands(request(1, offers=(Offer(Behavior.ALLOW, "Bash(a:*)"),)))
    hands.approval.begin_grant()
    hands.approval.change_grant(toggled=0)
    hands.now += GRACE
    assert hands.approval.confirm_grant() is None


def test_always_without_offers_says_why() -> None:
    hands = Hands(request(1))
    hands.approval.begin_grant()
    assert hands.approval.situation is Situation.ASKED
    assert "only be allowed once" in hands.approval.note


def test_put_aside_requests_come_back_with_tab() -> None:
    hands = Hands(request(1), request(2))
    hands.approval.back()
    assert hands.card() == "r2"
    hands.approval.back()
    assert hands.card() == ""
    hands.approval.receive((request(1), request(2), request(3)))
    assert hands.card() == "r3"
    hands.approval.move(1)
    assert hands.card() == "r1"
    hands.approval.move(-1)
    assert hands.card() == "r3"


def test_a_final_refusal_closes_the_card_to_answers_and_another_does_not() -> None:
    hands = Hands(request(1))
    hands.approval.deny()
    hands.approval.failed(JournalError("/j", "no room"))
    assert "no room" in hands.approval.note
    hands.now += GRACE
    assert hands.approval.deny() is not None
    hands.approval.failed(AlreadyDecided("r1", "allowed"))
    hands.now += GRACE
    assert hands.approval.deny() is None
    assert "already allowed" in hands.approval.deck.gone


STEPS = st.lists(
    st.sampled_from([*PRESSES, "deny_message", "settled", "failed"])
    | st.tuples(st.just("queue"), st.lists(st.integers(1, 5), unique=True, max_size=5), st.booleans())
    | st.floats(0, 0.4),
    max_size=60,
)


@settings(max_examples=200, deadline=None)
@given(STEPS)
def test_no_answer_is_ever_about_anything_but_what_was_on_the_card(steps: list[Any]) -> None:
    hands = Hands()
    approval = hands.approval
    for step in steps:
        before, open_, since = approval.shown, not approval.deck.gone, approval.deck.changed_at
        answer: AnswerToRequest | None = None
        match step:
            case ("queue", list(ids), bool(other)):
                offers = (Offer(Behavior.ALLOW, "Bash(a:*)"),)
                approval.receive(tuple(request(n, f"d{n}-{other}" if n == 1 else "", offers) for n in ids))
                assert before is None or approval.shown is before
                assert approval.shown is before or approval.grant is None
            case float(seconds):
                hands.now += seconds
            case "settled" if approval.deck.sending:
                approval.settled()
            case "failed" if approval.deck.sending:
                approval.failed(AlreadyDecided("r", "decided"))
            case "deny_message" if approval.writing:
                answer = approval.deny("no")
            case str(name) if name in PRESSES:
                answer = PRESSES[name](approval)
        if answer is not None:
            assert before is not None
            assert open_
            assert hands.now - since >= GRACE
            assert (answer.request_id, answer.digest) == (before.id, before.digest)
            assert before in approval.deck.queue
