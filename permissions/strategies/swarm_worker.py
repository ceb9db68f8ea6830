"""The strategy of a worker process: every call is decided by the leader. Knows no rules."""

from collections.abc import Callable

from swarm.ipc.messages import PermissionResponse, Preview
from swarm.permissions.model import Decision, Request
from swarm.permissions.strategies.pending import Outlet, PendingCalls, ignore

__all__ = ["Outlet", "SwarmWorker"]


class SwarmWorker:
    """Sends requests up and waits; each call waits for itself alone. Decisions are worker-proxy.

    Whoever reads the channel calls `deliver` for every permission response and `closed` at its end.
    """

    def __init__(self, outlet: Outlet, report: Callable[[str], None] = ignore) -> None:
        self._calls = PendingCalls(outlet, report)

    def __repr__(self) -> str:
        return f"<SwarmWorker {self._calls!r}>"

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
        """Wait for the leader's decision; a closed channel or an unusable answer is a denial."""
        return await self._calls.ask(request, preview, call_id, agent, interrupted=interrupted)

    def send_again(self) -> None:
        """Send every request that waits once more, under its id: another leader may not have it."""
        self._calls.send_again()

    def deliver(self, response: PermissionResponse) -> None:
        """Give the leader's answer to the call that waits for it."""
        self._calls.deliver(response)

    def withdraw(self, call_id: str, why: str) -> bool:
        """Take the request of one call back; False if no such call waits."""
        return self._calls.withdraw(call_id, why)

    def closed(self, why: str) -> None:
        """Deny all that waits and all that comes: the leader is gone."""
        self._calls.closed(why)
