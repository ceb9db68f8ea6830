"""Runs cases through the engine and says what came out otherwise, each direction apart. Prints nothing."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from swarm.leader.rules.cases import Case
from swarm.permissions.classifier import classify
from swarm.permissions.engine import decide
from swarm.permissions.model import Behavior, Layer, RuleText, Source, Verdict
from swarm.permissions.offers import offers
from swarm.permissions.policy import Policy, compile_policy

STRICTNESS = {Behavior.ALLOW: 0, Behavior.ASK: 1, Behavior.DENY: 2}
DIRECTIONS = ("allowed", "asked", "denied", "classifier", "offers", "problems")
"""What is counted apart: what each answer came to, and what is expected beside the answer."""
OF_ANSWER = {Behavior.ALLOW: "allowed", Behavior.ASK: "asked", Behavior.DENY: "denied"}


@dataclass(frozen=True, slots=True)
class Miss:
    """One thing that came out otherwise. `laxer`: less strict than expected; `why` is the engine's."""

    case: Case
    direction: str
    expected: str
    found: str
    laxer: bool
    why: str


@dataclass(slots=True)
class Count:
    """How one direction went."""

    total: int = 0
    laxer: int = 0
    stricter: int = 0

    @property
    def right(self) -> int:
        """How many came out as expected."""
        return self.total - self.laxer - self.stricter


@dataclass(slots=True)
class Report:
    """All that a trial found. `idle` are the rules that had a say in no case."""

    cases: int = 0
    misses: list[Miss] = field(default_factory=list)
    counts: dict[str, Count] = field(default_factory=lambda: {name: Count() for name in DIRECTIONS})
    idle: tuple[RuleText, ...] = ()


class Policies:
    """Compiles each set of rules once."""

    def __init__(self) -> None:
        self._last: tuple[Case, Policy] | None = None

    def of(self, case: Case) -> Policy:
        """Give the policy of a case."""
        if self._last is not None:
            before, policy = self._last
            same = before.rules is case.rules and before.mode is case.mode
            if same and before.folders == case.folders:
                return policy
        policy = compile_policy(case.rules, case.mode, case.folders)
        self._last = (case, policy)
        return policy


def run_cases(cases: Sequence[Case]) -> Report:
    """Run all cases."""
    report, policies = Report(len(cases)), Policies()
    rules: dict[tuple[Behavior, str], RuleText] = {}
    hit: set[tuple[Behavior, str]] = set()
    for case in cases:
        policy = policies.of(case)
        verdict = decide(case.request, policy, case.files)
        rules.update({(rule.behavior, str(rule.text)): rule for rule in reversed(case.rules)})
        hit.update((rule.behavior, str(rule.text)) for rule in rules_heard(verdict, case.rules))
        for direction, miss in _outcomes(case, policy, verdict):
            count = report.counts[direction]
            count.total += 1
            if miss is not None:
                report.misses.append(miss)
                count.laxer += miss.laxer
                count.stricter += not miss.laxer
    report.idle = tuple(rule for key, rule in rules.items() if key not in hit)
    return report


def rules_heard(verdict: Verdict, rules: Sequence[RuleText]) -> Iterator[RuleText]:
    """Give the rules that a verdict or one of its parts rests on, or that its reasons name."""
    said = "\n".join((verdict.why, *(part.why for part in verdict.parts)))
    named = [rule for rule in (verdict.rule, *(part.rule for part in verdict.parts)) if rule is not None]
    yield from named
    yield from (rule for rule in rules if rule not in named and f"{rule.text} ({rule.source})" in said)


def _outcomes(case: Case, policy: Policy, verdict: Verdict) -> Iterator[tuple[str, Miss | None]]:
    yield OF_ANSWER[case.expect], _answer(case, verdict)
    if case.classifier:
        yield "classifier", _classification(case, policy)
    if case.offers is not None:
        yield "offers", _offers(case, case.offers, policy)
    if case.warn or case.error:
        yield "problems", _problems(case, policy)


def _answer(case: Case, verdict: Verdict) -> Miss | None:
    off = STRICTNESS[verdict.behavior] - STRICTNESS[case.expect]
    if not off:
        return None
    return Miss(case, OF_ANSWER[case.expect], case.expect, verdict.behavior, off < 0, verdict.why)


def _classification(case: Case, policy: Policy) -> Miss | None:
    found = classify(case.request, policy, case.files)
    word = "safe" if found.safe else "unsure"
    return (
        None
        if word == case.classifier
        else Miss(case, "classifier", case.classifier, word, found.safe, found.why)
    )


def _offers(case: Case, expected: tuple[str, ...], policy: Policy) -> Miss | None:
    offered = tuple(offer.text for offer in offers(case.request, policy, case.files))
    found, wanted = ", ".join(offered) or "nothing", ", ".join(expected) or "nothing"
    surplus = [text for text in offered if text not in expected]
    if surplus:
        return Miss(case, "offers", wanted, found, True, f"{surplus[0]} is not among what may be offered.")
    if bool(offered) != bool(expected):
        return Miss(case, "offers", wanted, found, False, "Nothing is offered.")
    if not offered:
        return None
    granted = tuple(RuleText(Behavior.ALLOW, text, Source(Layer.SESSION)) for text in offered)
    with_them = compile_policy((*case.rules, *granted), case.mode, case.folders)
    verdict = decide(case.request, with_them, case.files)
    if verdict.behavior is Behavior.ALLOW:
        return None
    return Miss(case, "offers", wanted, found, False, f"With them it is still no allow: {verdict.why}")


def _problems(case: Case, policy: Policy) -> Miss | None:
    errors = [problem for problem in policy.problems if problem.is_error]
    warnings = [problem for problem in policy.problems if not problem.is_error]
    found = ", ".join(["error"] * bool(errors) + ["warning"] * bool(warnings)) or "nothing"
    if case.error and not errors:
        return Miss(case, "problems", "error", found, True, "No rule of the case is an error.")
    if case.warn and not warnings:
        return Miss(case, "problems", "warning", found, True, "No rule of the case is warned of.")
    return None
