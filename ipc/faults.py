"""Counts unreadable lines of one read together, so that a flood of them costs little. Judges no line."""

from typing import TYPE_CHECKING

import msgspec

from swarm.ipc.codec import Fault

if TYPE_CHECKING:
    from swarm.ipc.messages import AnyMessage

_EXAMINED = 8
"""The most lines per read that are looked into; each may become a report of its own."""


class Arrivals:
    """What one read brought, in order. Faults with the same problem become one report with a count."""

    def __init__(self) -> None:
        self.items: list[AnyMessage | Fault] = []
        self._places: dict[str, int] = {}
        self._examined = 0

    @property
    def is_flooded(self) -> bool:
        """Tell whether further faults should not be looked into."""
        return self._examined >= _EXAMINED

    def add_fault(self, fault: Fault) -> None:
        """Report `fault`, by itself or as one more of its kind."""
        self._examined += 1
        place = self._places.setdefault(fault.problem, len(self.items))
        if place == len(self.items):
            self.items.append(fault)
        else:
            self._count(place, fault.count, fault.size)

    def add_unexamined(self, size: int) -> None:
        """Count a line of `size` bytes that was not looked into with the fault seen last."""
        self._count(next(reversed(self._places.values())), 1, size)

    def _count(self, place: int, count: int, size: int) -> None:
        first = self.items[place]
        assert type(first) is Fault
        self.items[place] = msgspec.structs.replace(
            first, count=first.count + count, size=first.size + size
        )
