"""What the approvals work with, as Protocols: who asks, what judges, and their surroundings."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

import anyio.abc

from swarm.ipc.messages import PermissionResponse
from swarm.leader.session.journal import Journal
from swarm.permissions.grants import UNLIMITED, Grant, GrantLimits
from swarm.permissions.model import Layer, Offer, Request, Verdict
from swarm.permissions.speculation import Classifier

OnAsk = Literal["wait", "deny", "fail"]
"""What becomes of a call that no rule decides: it waits, is denied, or is denied and ends the run."""


class Asker(Protocol):
    """A worker that asks. `color` is "#rrggbb"."""

    name: str
    color: str

    def respond(self, response: PermissionResponse) -> None:
        """Send the answer; if the worker is gone it is dropped."""


class Judge(Protocol):
    """What rules say, for the worker that asks."""

    def verdict(self, worker: str, request: Request) -> Verdict:
        """Give what rules, guards and mode say."""

    def offers(self, worker: str, request: Request) -> tuple[Offer, ...]:
        """Give the rules that "always" may write."""

    def version(self, worker: str) -> str:
        """Give the digest of the rules in force."""

    def grant(self, offer: Offer, layer: Layer, worker: str, limits: GrantLimits = UNLIMITED) -> Grant:
        """Write a rule where it belongs. Raises LeaderError or PermissionsError; then nothing was."""

    def revoke(self, number: int) -> None:
        """Take a granted rule back. Raises LeaderError or PermissionsError."""

    def spend(self, worker: str, request: Request) -> None:
        """Count a call that rules allowed against the grants that it needed for that."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the approvals work with.

    `classifier_of` gives the classifier that races the person about requests of a worker; None if no
    person is asked. `tasks` is the group in which waiting requests are settled. `changed` tells that
    the queue did, `notice` shows a line to the person, `stop` ends the team for the reason given.
    """

    journal: Journal
    judge: Judge
    classifier_of: Callable[[str], Classifier] | None
    on_ask: OnAsk
    tasks: anyio.abc.TaskGroup
    clock: Callable[[], float]
    changed: Callable[[], None]
    notice: Callable[[str], None]
    stop: Callable[[str], None]
