"""Rules that people grant for the length of a session, with who granted them and when. Pure; on no disk."""

from collections.abc import Iterator
from dataclasses import dataclass

from swarm.permissions.model import Layer, Offer, RuleText, Source


@dataclass(frozen=True, slots=True)
class Grant:
    """One granted rule, `at` in seconds of the epoch. `worker` is whom it is for, empty for all."""

    rule: RuleText
    worker: str
    by: str
    at: float


@dataclass(frozen=True, slots=True)
class Grants:
    """All grants of a session, oldest first. Never changes; what adds or removes gives a new one."""

    entries: tuple[Grant, ...] = ()

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[Grant]:
        return iter(self.entries)

    def with_grant(self, grant: Grant) -> "Grants":
        """Add a grant; one of the same rule for the same worker stays as it was."""
        if any((known.rule, known.worker) == (grant.rule, grant.worker) for known in self.entries):
            return self
        return Grants((*self.entries, grant))

    def without_rule(self, rule: RuleText, worker: str = "") -> "Grants":
        """Take a rule back that was granted to `worker`, or to the whole team."""
        kept = (known for known in self.entries if (known.rule, known.worker) != (rule, worker))
        return Grants(tuple(kept))

    def rules_for(self, worker: str) -> tuple[RuleText, ...]:
        """Give the rules that count for one worker: its own and the whole team's."""
        return tuple(known.rule for known in self.entries if known.worker in ("", worker))


def grant_of(offer: Offer, worker: str, by: str, at: float, base: str) -> Grant:
    """Give the grant of an offer, for one worker or, with an empty name, for the whole team.

    `base` is the folder that a path pattern with a leading `/` starts from.
    """
    layer = Layer.WORKER if worker else Layer.SESSION
    return Grant(RuleText(offer.behavior, offer.text, Source(layer, base=base)), worker, by, at)
