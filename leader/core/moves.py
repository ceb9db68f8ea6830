"""Moves a worker along the table of phases. Pure; says nothing about when."""

from dataclasses import replace
from typing import Any

from swarm.leader.core.team import PHASES, PhaseChanged, TeamEffect, TeamState, changed
from swarm.leader.core.views import WorkerPhase

Outcome = tuple[TeamState, list[TeamEffect]]


def enter(
    state: TeamState, name: str, phase: WorkerPhase, now: float, detail: str = "", **fields: Any
) -> Outcome:
    """Move a worker to another phase, with further fields changed; what has ended is not paused."""
    worker = state.workers[name]
    assert phase in PHASES[worker.phase], f"{name}: {worker.phase} -> {phase}"
    if phase.ended:
        fields["paused"] = False
    moved = replace(worker, **{"phase": phase, "since": now, "due": None, **fields})
    return changed(state, name, moved), [PhaseChanged(name, phase, detail)]
