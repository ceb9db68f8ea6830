"""The strategy of a worker that runs a team itself: its workers' calls go up to its own leader."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from swarm.ipc.messages import PermissionResponse, Preview
from swarm.permissions.model import Decision, Reason, Request
from swarm.permissions.strategies.pending import Outlet, PendingCalls, ignore

LIMIT: Final = 30.0
"""How long an answer from above may take, in seconds; without one the call is denied."""


class Coordinator:
    """Asks the leader above for one worker of the team below.

    The leader above puts this coordinator's name first, so that its badge reads `coordinator/worker`.
    Decisions are coordinator-allow or coordinator-deny, with the upper leader's reason kept.
    """

    def __init__(
        self,
        outlet: Outlet,
        worker: str,
        report: Callable[[str], None] = ignore,
        limit: float = LIMIT,
    ) -> None:
        self._calls = PendingCalls(outlet, report)
        self._worker = worker
        self._limit = limit

    def __repr__(self) -> str:
        return f"<Coordinator of {self._worker} {self._calls!r}>"

    @property
    def waiting(self) -> int:
        """How many calls wait for an answer."""
        return len(self._calls)

    async def decide(
        self,
        request: Request,
        preview: Preview,
        call_id: str,
        agent: tuple[str, ...] = (),
        *,
        interrupted: bool = False,
    ) -> Decision:
        """Wait for the decision from above; a time-out is a denial that says it is one."""
        path = (self._worker, *agent)
        decision = await self._calls.ask(
            request, preview, call_id, path, self._limit, interrupted=interrupted
        )
        reason = Reason.COORDINATOR_ALLOW if decision.allowed else Reason.COORDINATOR_DENY
        return replace(decision, reason=reason)

    def deliver(self, response: PermissionResponse) -> None:
        """Give an answer from above to the call that waits for it."""
        self._calls.deliver(response)

    def withdraw(self, call_id: str, why: str) -> bool:
        """Take the request of one call back; False if no such call waits."""
        return self._calls.withdraw(call_id, why)

    def closed(self, why: str) -> None:
        """Deny all that waits and all that comes: the leader above is gone."""
        self._calls.closed(why)
