"""Brings the names of waiting letters in order, and holds back what may have overtaken others. No I/O."""

from typing import TYPE_CHECKING

from swarm.ipc.mailbox.ledger import run_key
from swarm.ipc.mailbox.letters import Place, read_place

if TYPE_CHECKING:
    from collections.abc import Callable, Collection


class Order:
    """How far each run was listed. `handled` gives how far a run was handled before this process."""

    def __init__(self, handled: "Callable[[str], int]") -> None:
        self._handled = handled
        self._listed: dict[str, int] = {}

    def settle(self, names: "Collection[str]", earlier: "Collection[str]" = ()) -> list[str]:
        """Give `names` sorted, without those that a letter not listed may have to come before.

        A listing made while letters come in may show the second of two and not the first. So one that
        does not follow on counts only if it was listed `earlier` too: by now the first would be there.
        """
        held: set[str] = set()
        return [name for name in sorted(names) if self._is_settled(name, earlier, held)]

    def forget(self) -> None:
        """Forget what was listed; `handled` is enough to go on."""
        self._listed.clear()

    def _is_settled(self, name: str, earlier: "Collection[str]", held: set[str]) -> bool:
        place = read_place(name)
        if place is None:
            return True
        run = run_key(place)
        if run in held or not (self._follows(run, place) or name in earlier):
            held.add(run)
            return False
        self._listed[run] = max(self._listed.get(run, 0), place.number)
        return True

    def _follows(self, run: str, place: Place) -> bool:
        return place.number <= 1 + max(self._listed.get(run, 0), self._handled(run))
