"""The classifier can win against the person, and do nothing else."""

from pathlib import Path
from typing import cast

import anyio
import pytest

from swarm.permissions.files import MemoryFiles
from swarm.permissions.model import (
    Behavior,
    Decision,
    Folders,
    Layer,
    Mode,
    Reason,
    Request,
    RuleText,
    Source,
    Verdict,
)
from swarm.permissions.policy import Policy, compile_policy
from swarm.permissions.speculation import Opinion, StaticClassifier, consult, may_speculate, race

REQUEST = Request("Bash", {"command": "ls"}, "/w")
YES = Decision(Behavior.ALLOW, Reason.INTERACTIVE_ALLOW_ONCE)
NO = Decision(Behavior.DENY, Reason.INTERACTIVE_DENY)
FOR_EVER = 60.0


class Oracle:
    """A classifier that answers after `gate` opens, with whatever it was given."""

    def __init__(self, answer: object = None, *, waits: bool = False) -> None:
        self.gate = anyio.Event()
        self.answer = answer
        self.cancelled = False
        if not waits:
            self.gate.set()

    async def classify(self, request: Request) -> Opinion:
        try:
            await self.gate.wait()
        except anyio.get_cancelled_exc_class():
            self.cancelled = True
            raise
        if isinstance(self.answer, Exception):
            raise self.answer
        return cast("Opinion", self.answer)


class Person:
    """Somebody who answers when told to."""

    def __init__(self, decision: Decision | Exception | None = None) -> None:
        self.decision = decision
        self.asked = self.cancelled = False

    async def __call__(self) -> Decision:
        self.asked = True
        try:
            if self.decision is None:
                await anyio.sleep(FOR_EVER)
        except anyio.get_cancelled_exc_class():
            self.cancelled = True
            raise
        if isinstance(self.decision, Exception):
            raise self.decision
        assert self.decision is not None
        return self.decision


async def test_a_safe_opinion_wins_and_the_person_is_no_longer_asked() -> None:
    oracle, person = Oracle(Opinion(True), waits=True), Person()
    async with anyio.create_task_group() as group:
        group.start_soon(open_once_asked, oracle, person)
        decision = await race(REQUEST, oracle, person)
    assert decision == Decision(Behavior.ALLOW, Reason.SPECULATIVE_ALLOW)
    assert person.cancelled


async def open_once_asked(oracle: Oracle, person: Person) -> None:
    with anyio.fail_after(5):
        while not person.asked:
            await anyio.lowlevel.checkpoint()
    oracle.gate.set()


async def test_a_classifier_that_answers_at_once_spares_the_person_the_card() -> None:
    class Instant:
        async def classify(self, request: Request) -> Opinion:
            return Opinion(True)

    person = Person()
    assert (await race(REQUEST, Instant(), person)).reason is Reason.SPECULATIVE_ALLOW
    assert not person.asked


@pytest.mark.parametrize("decision", [YES, NO])
async def test_the_persons_answer_wins_and_the_classifier_is_cancelled(decision: Decision) -> None:
    oracle = Oracle(Opinion(True), waits=True)
    assert await race(REQUEST, oracle, Person(decision)) == decision
    assert oracle.cancelled


@pytest.mark.parametrize(
    "answer",
    [
        Opinion(False, "writes"),
        RuntimeError("boom"),
        None,
        True,
        "safe",
        {"safe": True},
        Opinion(cast("bool", "yes")),
    ],
)
async def test_whatever_is_not_clearly_safe_leaves_it_to_the_person(answer: object) -> None:
    assert await race(REQUEST, Oracle(answer), Person(NO)) == NO
    assert not (await consult(Oracle(answer), REQUEST)).safe


async def test_a_classifier_that_hangs_is_unsure_after_its_limit() -> None:
    oracle = Oracle(Opinion(True), waits=True)
    opinion = await consult(oracle, REQUEST, limit=0.01)
    assert opinion == Opinion(False, "the classifier gave no answer within 0.01 s", failed=True)
    assert oracle.cancelled


async def test_an_answer_after_the_limit_is_not_heard() -> None:
    oracle, person = Oracle(Opinion(True), waits=True), Person()
    with anyio.move_on_after(0.1) as scope:
        await race(REQUEST, oracle, person, limit=0.01)
    assert scope.cancelled_caught
    assert person.cancelled


async def test_cancelling_the_race_cancels_both() -> None:
    oracle, person = Oracle(Opinion(True), waits=True), Person()
    with anyio.move_on_after(0.02):
        await race(REQUEST, oracle, person)
    assert oracle.cancelled
    assert person.cancelled


async def test_an_error_of_the_dialog_leaves_the_race_as_itself() -> None:
    with pytest.raises(OSError, match="terminal"):
        await race(REQUEST, Oracle(Opinion(True), waits=True), Person(OSError("terminal")))


async def test_the_static_classifier_asks_for_the_policy_in_force_each_time() -> None:
    asked: list[Policy] = []

    def policy() -> Policy:
        asked.append(compile_policy((), Mode.DEFAULT, Folders(Path("/h"), Path("/w"))))
        return asked[-1]

    static = StaticClassifier(policy, MemoryFiles({"/w": "dir"}))
    opinion = await consult(static, Request("Unheard", {}, "/w"))
    assert not opinion.safe
    assert opinion.why
    await consult(static, REQUEST)
    assert len(asked) == 2


def test_a_classifier_is_heard_only_where_nothing_but_the_mode_asks() -> None:
    rule = RuleText(Behavior.ASK, "Bash", Source(Layer.USER))
    assert may_speculate(Verdict(Behavior.ASK, "no rule"))
    assert not may_speculate(Verdict(Behavior.ASK, "a rule asks", rule))
    assert not may_speculate(Verdict(Behavior.ASK, "a guard asks", guarded=True))
    assert not may_speculate(Verdict(Behavior.DENY, "denied"))
