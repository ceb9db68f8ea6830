"""How a process gets a decision, by execution mode: a table; a new mode is a new entry.

Each entry loads its own module only when it is built, so that a worker loads just the one it uses.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from swarm.permissions.model import Request, Verdict
    from swarm.permissions.speculation import Classifier
    from swarm.permissions.strategies.base import Strategy
    from swarm.permissions.strategies.interactive import Dialog
    from swarm.permissions.strategies.pending import Outlet

PartT = TypeVar("PartT")


def _ignore(report: str) -> None:
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What a process has that a strategy may need; each takes its own and leaves the rest.

    `outlet` is the way up to a leader, `worker` the name of the worker that is asked for there.
    """

    rules: "Callable[[Request], Verdict] | None" = None
    dialog: "Dialog | None" = None
    classifier: "Classifier | None" = None
    outlet: "Outlet | None" = None
    worker: str = ""
    report: Callable[[str], None] = _ignore


def _interactive(here: Surroundings) -> "Strategy":
    from swarm.permissions.strategies.interactive import Interactive

    rules, dialog = _given(here.rules, "rules"), _given(here.dialog, "dialog")
    return Interactive(rules, dialog, here.classifier)


def _swarm_worker(here: Surroundings) -> "Strategy":
    from swarm.permissions.strategies.swarm_worker import SwarmWorker

    return SwarmWorker(_given(here.outlet, "outlet"), here.report)


def _coordinator(here: Surroundings) -> "Strategy":
    from swarm.permissions.strategies.coordinator import Coordinator

    return Coordinator(_given(here.outlet, "outlet"), _given(here.worker or None, "worker"), here.report)


STRATEGIES: Final[Mapping[str, "Callable[[Surroundings], Strategy]"]] = {
    "interactive": _interactive,
    "swarm-worker": _swarm_worker,
    "coordinator": _coordinator,
}
"""The constructor of each execution mode's strategy. Raises StrategyIncomplete if a part is missing."""


def _given(part: PartT | None, name: str) -> PartT:
    from swarm.permissions.errors import StrategyIncomplete

    if part is None:
        raise StrategyIncomplete(name)
    return part
