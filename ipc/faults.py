"""Counts unreadable lines of one read together, so that a flood of them costs little. Judges no line."""

from typing import TYPE_CHECKING

import msgspec

from swarm.ipc.channel import Unreadable
from swarm.ipc.codec import UNEXAMINED, Fault

if TYPE_CHECKING:
    from swarm.ipc.messages import AnyMessage

_EXAMINED = 8
"""The most lines per read that are looked into; each may become a report of its own."""


class Arrivals:
    """What one read brought, in order. Faults with the same problem become one report with a count."""

    def __init__(self) -> None:
        self.items: list[AnyMessage | Unreadable] = []
        self._places: dict[str, int] = {}
        self._examined = 0

    @property
    def is_flooded(self) -> bool:
        """Tell whether further faults should not be looked into."""
        return self._examined >= _EXAMINED

    def add_fault(self, fault: Fault) -> None:
        """Report `fault`, by itself or as one more of its kind."""
        self._examined += 1
        place = self._places.get(fault.problem)
        if place is None and fault.problem == UNEXAMINED:
            place = next(reversed(self._places.values()))
        if place is None:
            self._places[fault.problem] = len(self.items)
            self.items.append(fault)
            return
        first = self.items[place]
        assert isinstance(first, Unreadable)
        self.items[place] = msgspec.structs.replace(
            first, count=first.count + fault.count, size=first.size + fault.size
        )
