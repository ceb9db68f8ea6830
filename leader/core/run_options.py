"""How a run differs from what its plan says. Plain values."""

from dataclasses import dataclass

from swarm.leader.core.asking import OnAsk
from swarm.leader.core.launcher import Launcher
from swarm.permissions.model import Mode


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How a run differs from what its plan says.

    `on_ask` says what becomes of a call that no rule decides. `person` says that a person may answer,
    so that the classifier may race them. `mode` replaces the plan's and that of each worker. `hold` is
    how long, in seconds, workers wait for another leader when theirs has died.
    """

    on_ask: OnAsk = "wait"
    person: bool = True
    mode: Mode | None = None
    launcher: Launcher | None = None
    hold: float = 600.0
