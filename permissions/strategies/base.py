"""What every strategy is. Holds no behaviour."""

from typing import Protocol

from swarm.ipc.messages import Preview
from swarm.permissions.model import Decision, Request


class Strategy(Protocol):
    """Decides whether a tool call may run, in the way of its execution mode."""

    async def decide(
        self,
        request: Request,
        preview: Preview,
        call_id: str,
        agent: tuple[str, ...] = (),
        *,
        interrupted: bool = False,
    ) -> Decision:
        """Wait for the decision about one call. Never raises but for cancellation: it fails closed.

        `interrupted` says that the call had begun before and may have had effects, so that no rule but
        only a person may allow it.
        """
