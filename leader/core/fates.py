"""How a request ends whose worker has died, by what the worker's own journal of calls says. Pure."""

from swarm.ipc.call_log import CallHistory
from swarm.leader.core.requests import PendingRequest, RequestState

INTERRUPTED = "interrupted, may have had effects"
"""What is said of a call that began and whose end nobody wrote."""


def fate_of(request: PendingRequest, calls: CallHistory, why: str) -> tuple[RequestState, str]:
    """Give the state that a request ends in, and the detail; `why` is how the worker ended."""
    record = calls.of_request(request.wire_id)
    if record is None:
        known = "not run" if calls.is_whole else "whether it ran is not known"
        return RequestState.ORPHANED, f"{known}: {why}"
    if not request.is_told:
        return RequestState.ORPHANED, f"it began before it was decided, may have had effects: {why}"
    return RequestState.ACTED, record.ended.outcome if record.ended else INTERRUPTED
