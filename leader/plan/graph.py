"""Who waits for whom: unknown names, cycles, and all that a worker waits for in the end. Pure."""

from collections.abc import Mapping, Sequence
from graphlib import CycleError, TopologicalSorter

Needs = Mapping[str, Sequence[str]]


def find_cycles(needs: Needs) -> list[list[str]]:
    """Give cycles that share no worker, each from its first worker to that worker again."""
    rest = {name: [other for other in others if other in needs] for name, others in needs.items()}
    cycles: list[list[str]] = []
    while True:
        try:
            TopologicalSorter(rest).prepare()
        except CycleError as error:
            # The sorter tells who comes before whom; "needs" runs the other way round.
            cycle = list(reversed(error.args[1]))
            cycles.append(_from_first(cycle, list(needs)))
            gone = set(cycle)
            rest = {name: [o for o in others if o not in gone] for name, others in rest.items()}
            rest = {name: others for name, others in rest.items() if name not in gone}
        else:
            return cycles


def _from_first(cycle: list[str], order: list[str]) -> list[str]:
    """Turn the cycle so that it begins with the worker that stands first in the file."""
    ring = cycle[:-1]
    start = ring.index(min(ring, key=order.index))
    return [*ring[start:], *ring[:start], ring[start]]


def all_needs(needs: Needs) -> dict[str, set[str]]:
    """Give for each worker all that it waits for, directly or through others. Cycles are no obstacle."""
    return {name: _reach(name, needs) for name in needs}


def _reach(name: str, needs: Needs) -> set[str]:
    seen: set[str] = set()
    waiting = list(needs.get(name, ()))
    while waiting:
        other = waiting.pop()
        if other not in seen:
            seen.add(other)
            waiting.extend(needs.get(other, ()))
    return seen
