"""Rules that people grant while a session runs: who did, when, and when each ends. Pure; on no disk."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from swarm.permissions.model import Layer, Offer, RuleText, Source

FOR_THE_SESSION = (Layer.SESSION, Layer.WORKER)
"""The layers that stand in no file; only their rules can end by themselves."""


@dataclass(frozen=True, slots=True)
class GrantLimits:
    """When a grant ends by itself: after so many minutes, after so many calls. None sets no limit."""

    minutes: float | None = None
    uses: int | None = None

    def __bool__(self) -> bool:
        return self.minutes is not None or self.uses is not None


UNLIMITED = GrantLimits()


@dataclass(frozen=True, slots=True)
class Grant:
    """One granted rule, `at` in seconds of the epoch. `worker` is whom it is for, empty for all.

    `expires` is in seconds of the epoch too, `uses` how many calls it may still allow; None for no
    limit. `number` counts the grants of a session from 1.
    """

    rule: RuleText
    worker: str
    by: str
    at: float
    expires: float | None = None
    uses: int | None = None
    number: int = 0

    def end(self, now: float) -> str:
        """Say how it has ended, or give an empty text while it is in force."""
        if self.expires is not None and now >= self.expires:
            return "expired"
        return "used up" if self.uses is not None and self.uses <= 0 else ""

    def holds_for(self, worker: str) -> bool:
        """Whether it is a rule of the session, in no file, that counts for this worker."""
        return self.rule.source.layer in FOR_THE_SESSION and self.worker in ("", worker)


@dataclass(frozen=True, slots=True)
class Grants:
    """All grants of a session, oldest first. Never changes; what adds or removes gives a new one."""

    entries: tuple[Grant, ...] = ()

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[Grant]:
        return iter(self.entries)

    def with_grant(self, grant: Grant) -> "Grants":
        """Add a grant in the place of one of the same rule for the same worker.

        Where neither can end by itself, the earlier one stays as it was.
        """
        same = next((known for known in self.entries if _same(known, grant)), None)
        if same is None:
            return Grants((*self.entries, grant))
        if _is_lasting(same) and _is_lasting(grant):
            return self
        return Grants((*(known for known in self.entries if known is not same), grant))

    def without_rule(self, rule: RuleText, worker: str = "") -> "Grants":
        """Take a rule back that was granted to `worker`, or to the whole team."""
        return self._kept(lambda known: (known.rule, known.worker) != (rule, worker))

    def without_ended(self, now: float) -> "Grants":
        """Leave out those that have ended by themselves."""
        return self._kept(lambda known: not known.end(now))

    def after_use(self, numbers: frozenset[int]) -> "Grants":
        """Count one call against each counted grant of these numbers."""
        return Grants(
            tuple(
                replace(known, uses=known.uses - 1)
                if known.number in numbers and known.uses is not None
                else known
                for known in self.entries
            )
        )

    def rules_for(self, worker: str, without: frozenset[int] = frozenset()) -> tuple[RuleText, ...]:
        """Give the rules that count for one worker, its own and the whole team's, but for some numbers."""
        return tuple(
            known.rule for known in self.entries if known.holds_for(worker) and known.number not in without
        )

    def counted_for(self, worker: str) -> tuple[int, ...]:
        """Give the numbers of the grants for this worker whose calls are counted."""
        return tuple(
            known.number for known in self.entries if known.holds_for(worker) and known.uses is not None
        )

    def _kept(self, wanted: Callable[[Grant], bool]) -> "Grants":
        return Grants(tuple(known for known in self.entries if wanted(known)))


def _same(one: Grant, other: Grant) -> bool:
    return (one.rule, one.worker) == (other.rule, other.worker)


def _is_lasting(grant: Grant) -> bool:
    return grant.expires is None and grant.uses is None


def grant_of(
    offer: Offer, worker: str, by: str, at: float, base: str, limits: GrantLimits = UNLIMITED
) -> Grant:
    """Give the grant of an offer, for one worker or, with an empty name, for the whole team.

    `base` is the folder that a path pattern with a leading `/` starts from.
    """
    layer = Layer.WORKER if worker else Layer.SESSION
    rule = RuleText(offer.behavior, offer.text, Source(layer, base=base))
    expires = None if limits.minutes is None else at + limits.minutes * 60
    return Grant(rule, worker, by, at, expires, limits.uses)


def needed(counted: tuple[int, ...], allows: Callable[[frozenset[int]], bool]) -> frozenset[int]:
    """Give the counted grants that a call cannot do without.

    `allows` says whether the call is still allowed without the grants of these numbers. So a call that
    something lasting allows uses up nothing, and of two grants that would do, one is used.
    """
    left_out: frozenset[int] = frozenset()
    if not counted or allows(frozenset(counted)):
        return left_out
    for number in counted:
        if allows(left_out | {number}):
            left_out |= {number}
    return frozenset(counted) - left_out
