"""The grants of a running session: numbered, counted, and dropped when they end. Touches no disk."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import NamedTuple

from swarm.leader.errors import UnknownGrant
from swarm.leader.session.entries import RuleGranted
from swarm.permissions.grants import Grant, Grants
from swarm.permissions.model import Layer, RuleText, Source


class EndedGrant(NamedTuple):
    """A grant that ended by itself, and how: "expired" or "used up"."""

    grant: Grant
    how: str


class GrantBook:
    """All grants that are in force. `revision` grows whenever another rule counts than before.

    `clock` gives seconds of the epoch. Every look drops first what has ended.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._grants = Grants()
        self._ended: list[EndedGrant] = []
        self._count = 0
        self.revision = 0

    def __repr__(self) -> str:
        return f"<GrantBook {len(self._grants)} of {self._count} in force>"

    @property
    def in_force(self) -> Grants:
        """The grants that count now."""
        if not len(self._grants):
            return self._grants
        now = self._clock()
        ended = [EndedGrant(grant, how) for grant in self._grants if (how := grant.end(now))]
        if ended:
            self._ended += ended
            self._change(self._grants.without_ended(now))
        return self._grants

    def add(self, grant: Grant) -> Grant:
        """Put a grant in force; give it with its number, or the one of the same rule that stays."""
        numbered = replace(grant, number=self._count + 1)
        after = self.in_force.with_grant(numbered)
        if after is not self._grants:
            self._count += 1
            self._change(after)
        same = (grant.rule, grant.worker)
        return next(known for known in self._grants if (known.rule, known.worker) == same)

    def spend(self, numbers: frozenset[int]) -> None:
        """Count one call against each of these; what is used up then is in force no more."""
        if numbers:
            self._grants = self._grants.after_use(numbers)
            _ = self.in_force

    def restore(self, grants: Iterable[Grant], count: int) -> None:
        """Put grants of the same session in force that another leader gave; `count` is how many it gave."""
        self._count = max(self._count, count)
        self._change(Grants(tuple(grants)))

    def find(self, number: int) -> Grant:
        """Give a grant. Raises UnknownGrant."""
        for grant in self.in_force:
            if grant.number == number:
                return grant
        raise UnknownGrant(number)

    def remove(self, grant: Grant) -> None:
        """Take a grant back."""
        self._change(self._grants.without_rule(grant.rule, grant.worker))

    def take_ended(self) -> list[EndedGrant]:
        """Give those that ended by themselves since the last call."""
        _ = self.in_force
        ended, self._ended = self._ended, []
        return ended

    def _change(self, grants: Grants) -> None:
        self._grants = grants
        self.revision += 1


def grant_left(entry: RuleGranted, at: float, base: str) -> Grant:
    """Give the grant that a journal's entry of the time `at` tells of, for another leader of the session.

    How often a counted one was used is not known any more, so it counts as used up.
    """
    source = Source(entry.layer, file=entry.file, base=base)
    rule = RuleText(entry.behavior, entry.rule, source)
    only = entry.worker if entry.layer is Layer.WORKER else ""
    uses = None if entry.uses is None else 0
    return Grant(rule, only, entry.by, at, entry.expires, uses, entry.number)
