"""Decides the calls of a past session again under other rules, and tells the differences.

The rules look at the disk as it is now, not as it was. Runs nothing.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from swarm.leader.audit.decisions import PastDecision
from swarm.permissions.model import Behavior, Request, Verdict

_STRICTNESS = {Behavior.ALLOW: 0, Behavior.ASK: 1, Behavior.DENY: 2}
KEPT = 10_000
"""How many differences are told one by one; all are counted."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One call that other rules decide otherwise: what rules said then and what these say now."""

    decision: PastDecision
    now: Verdict

    @property
    def before(self) -> Behavior:
        """What rules said of it then."""
        return self.decision.rules_said

    @property
    def is_looser(self) -> bool:
        """Whether it is less strict now."""
        return _STRICTNESS[self.now.behavior] < _STRICTNESS[self.before]

    @property
    def runs_unasked(self) -> bool:
        """Whether it would run now without a question, and did not then."""
        return self.now.behavior is Behavior.ALLOW

    @property
    def was_denied(self) -> bool:
        """Whether it did not run then: a rule, a person, or the lack of one said no."""
        record = self.decision.record
        return record is not None and record.behavior is Behavior.DENY


@dataclass(slots=True)
class Replay:
    """What came out: how many calls were decided again, and those that are decided otherwise.

    `counts` are by what rules said then and now; `unasked` is how many would run now without a
    question that did not then, `denied` how many of these were denied.
    """

    calls: int = 0
    counts: Counter[tuple[Behavior, Behavior]] = field(default_factory=Counter)
    looser: list[Difference] = field(default_factory=list)
    stricter: list[Difference] = field(default_factory=list)
    unasked: int = 0
    denied: int = 0

    def add(self, difference: Difference) -> None:
        """Take one more call, decided again."""
        self.calls += 1
        self.counts[difference.before, difference.now.behavior] += 1
        if difference.before is difference.now.behavior:
            return
        kept = self.looser if difference.is_looser else self.stricter
        if len(kept) < KEPT:
            kept.append(difference)
        if difference.runs_unasked:
            self.unasked += 1
            self.denied += difference.was_denied


def replay(past: Iterable[PastDecision], judge: Callable[[str, Request], Verdict]) -> Replay:
    """Decide all calls again; `judge` says what the other rules hold of a worker's request."""
    found = Replay()
    for decision in past:
        found.add(Difference(decision, judge(decision.worker, decision.request)))
    return found
