"""Whether the machine has room for one more worker. Pure: what was read of the machine is given."""

from dataclasses import dataclass

from swarm.leader.plan.sizes import format_size

USUAL_MEMORY = 512 * 1024**2
"""What a worker without a limit is taken to need, in bytes."""
SPARE_MEMORY = 256 * 1024**2
"""What stays free for all else, in bytes."""
LOAD_PER_CPU = 2.0
"""So many processes may want each CPU: agents mostly wait for their model."""
SETTLING = 10.0
"""Seconds after a launch in which a worker's needs do not show in the readings yet."""


@dataclass(frozen=True, slots=True)
class Readings:
    """What was read of the machine: free and all memory in bytes, processes that want a CPU, and CPUs."""

    free: int
    memory: int
    load: float
    cpus: int


def why_held(readings: Readings | None, need: int | None, settling: tuple[int | None, ...]) -> str:
    """Say what one more worker has to wait for; empty if there is room.

    `need` is its limit of memory, `settling` those of the workers that were just started.
    """
    if readings is None:
        return "waits for a look at the machine"
    promised = sum(limit or USUAL_MEMORY for limit in settling)
    wanted = min(need or USUAL_MEMORY, readings.memory - SPARE_MEMORY)
    free = max(readings.free - SPARE_MEMORY - promised, 0)
    if free < wanted:
        return f"waits for memory: {format_size(free)} of {format_size(wanted)} free"
    if readings.load + len(settling) >= readings.cpus * LOAD_PER_CPU:
        cpus = "1 CPU" if readings.cpus == 1 else f"{readings.cpus} CPUs"
        return f"waits for CPU: {readings.load + len(settling):.1f} processes want {cpus}"
    return ""
