"""Says which workers have gone over a limit of memory or output. Ends nobody. Pure."""

from collections.abc import Mapping

from swarm.leader.core.team import Broke, WentOver, WorkerState
from swarm.leader.plan.sizes import format_size


def over_memory(workers: Mapping[str, WorkerState], taken: Mapping[str, int]) -> list[Broke]:
    """Give the workers whose trees take more than they may; `taken` is in bytes."""
    found = []
    for name, bytes_taken in taken.items():
        worker = workers[name]
        limit = worker.plan.memory
        if limit is not None and bytes_taken > limit:
            size = format_size(bytes_taken)
            why = f"its processes took {size} of memory, its limit is {format_size(limit)}"
            found.append(Broke(name, worker.attempt, why, at_once=True))
    return found


def over_output(workers: Mapping[str, WorkerState], sent: Mapping[str, int]) -> list[WentOver]:
    """Give the workers that have sent more than they may; `sent` is in bytes, over all attempts."""
    found = []
    for name, bytes_sent in sent.items():
        worker = workers[name]
        limit = worker.plan.output
        if limit is not None and bytes_sent > limit:
            why = f"it sent {format_size(bytes_sent)} of output, its limit is {format_size(limit)}"
            found.append(WentOver(name, worker.attempt, why))
    return found
