"""Remembers calls that were not allowed, so that the summary can say what would allow them."""

from collections import OrderedDict

from swarm.leader.core.views import MissedCall

LIMIT = 1_000
"""How many refused calls of one worker are remembered; the oldest is forgotten first."""


class RefusedCalls:
    """What is known of refused calls, by worker and the worker's own id of the request."""

    def __init__(self) -> None:
        self._by_worker: dict[str, OrderedDict[str, MissedCall]] = {}

    def remember(self, wire_id: str, call: MissedCall) -> None:
        """Keep one refused call."""
        calls = self._by_worker.setdefault(call.worker, OrderedDict())
        calls[wire_id] = call
        if len(calls) > LIMIT:
            calls.popitem(last=False)

    def find(self, worker: str, wire_ids: tuple[str, ...]) -> list[MissedCall]:
        """Give those calls of `worker` that are still remembered."""
        calls = self._by_worker.get(worker) or OrderedDict[str, MissedCall]()
        return [calls[wire_id] for wire_id in wire_ids if wire_id in calls]
