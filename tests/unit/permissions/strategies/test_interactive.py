"""Where the person sits: settings first, then the race, and a broken part is a denial."""

from collections.abc import Callable

import pytest

from swarm.ipc.messages import Preview
from swarm.permissions.model import Behavior, Decision, Layer, Reason, Request, RuleText, Source, Verdict
from swarm.permissions.speculation import Opinion
from swarm.permissions.strategies.interactive import Interactive

REQUEST = Request("Bash", {"command": "make"}, "/w")
PREVIEW = Preview(title="make")
ASKS = Verdict(Behavior.ASK, "No rule covers make.")
YES = Decision(Behavior.ALLOW, Reason.INTERACTIVE_ALLOW_ONCE, "mind the cache")
NO = Decision(Behavior.DENY, Reason.INTERACTIVE_DENY, "use the other target")


class Desk:
    """A dialog that gives one answer and keeps what it was asked."""

    def __init__(self, answer: Decision | Exception) -> None:
        self.answer = answer
        self.asked: list[str] = []

    async def ask(
        self, request: Request, preview: Preview, call_id: str, agent: tuple[str, ...], why: str
    ) -> Decision:
        self.asked.append(why)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


class Always:
    """A classifier of one opinion."""

    def __init__(self, safe: bool) -> None:
        self.safe = safe

    async def classify(self, request: Request) -> Opinion:
        return Opinion(self.safe)


def says(verdict: Verdict) -> Callable[[Request], Verdict]:
    return lambda request: verdict


async def decide(verdict: Verdict, desk: Desk, classifier: Always | None = None) -> Decision:
    return await Interactive(says(verdict), desk, classifier).decide(REQUEST, PREVIEW, "c1")


async def test_a_rule_that_allows_asks_nobody() -> None:
    desk = Desk(NO)
    rule = RuleText(Behavior.ALLOW, "Bash(make)", Source(Layer.USER))
    decision = await decide(Verdict(Behavior.ALLOW, "allowed", rule), desk)
    assert decision == Decision(Behavior.ALLOW, Reason.SETTINGS_ALLOW, rule="Bash(make)")
    assert desk.asked == []


async def test_a_rule_that_denies_says_that_settings_do() -> None:
    decision = await decide(Verdict(Behavior.DENY, "Bash(make) in /p denies it."), Desk(YES))
    assert decision.reason is Reason.SETTINGS_DENY
    assert "settings deny" in decision.message
    assert "declined" not in decision.message


async def test_the_persons_note_reaches_the_agent_with_either_answer() -> None:
    assert (await decide(ASKS, Desk(YES))).message == "mind the cache"
    denied = await decide(ASKS, Desk(NO))
    assert denied.reason is Reason.INTERACTIVE_DENY
    assert "declined this call" in denied.message
    assert "use the other target" in denied.message


async def test_the_person_is_told_why_it_asks() -> None:
    desk = Desk(YES)
    await decide(ASKS, desk, Always(False))
    assert desk.asked == ["No rule covers make."]


async def test_a_safe_call_needs_no_person() -> None:
    desk = Desk(NO)
    assert (await decide(ASKS, desk, Always(True))).reason is Reason.SPECULATIVE_ALLOW


@pytest.mark.parametrize(
    "verdict",
    [
        Verdict(Behavior.ASK, "a guard", guarded=True),
        Verdict(Behavior.ASK, "a rule", RuleText(Behavior.ASK, "Bash", Source(Layer.USER))),
    ],
)
async def test_no_classifier_lifts_what_a_rule_or_a_guard_asks(verdict: Verdict) -> None:
    assert (await decide(verdict, Desk(NO), Always(True))).reason is Reason.INTERACTIVE_DENY


@pytest.mark.parametrize("classifier", [None, Always(False)])
async def test_a_dialog_that_breaks_is_a_denial(classifier: Always | None) -> None:
    decision = await decide(ASKS, Desk(OSError("no terminal")), classifier)
    assert not decision.allowed
    assert "no terminal" in decision.message
    assert "Nobody declined it" in decision.message


async def test_rules_that_break_are_a_denial() -> None:
    def broken(request: Request) -> Verdict:
        raise RecursionError("deep")

    decision = await Interactive(broken, Desk(YES)).decide(REQUEST, PREVIEW, "c1")
    assert not decision.allowed


@pytest.mark.parametrize(
    "answer",
    [
        Decision(Behavior.ALLOW, Reason.SETTINGS_ALLOW),
        Decision(Behavior.ALLOW, Reason.INTERACTIVE_DENY),
        Decision(Behavior.DENY, Reason.INTERACTIVE_ALLOW_ONCE),
        Decision(Behavior.ASK, Reason.INTERACTIVE_ALLOW_ONCE),
    ],
)
async def test_an_answer_that_no_person_can_give_is_a_denial(answer: Decision) -> None:
    assert not (await decide(ASKS, Desk(answer))).allowed
