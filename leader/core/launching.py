"""Which workers are launched now, and what the others that could start wait for. Pure."""

from dataclasses import replace
from typing import Any

from swarm.leader.core.admission import SETTLING, why_held
from swarm.leader.core.moves import Outcome, enter
from swarm.leader.core.team import (
    ALIVE,
    HELLO_LIMIT,
    Held,
    Launch,
    TeamEffect,
    TeamState,
    WorkerState,
    changed,
)
from swarm.leader.core.views import WorkerPhase


def launch_ready(state: TeamState, now: float) -> Outcome:
    """Launch what waits for nothing any more, as long as there is room."""
    effects: list[TeamEffect] = []
    if state.stopping:
        return state, effects
    for name, worker in state.workers.items():
        if not _is_ready(state, worker, now):
            continue
        why = _why_held(state, worker, now)
        if why:
            state, more = _hold(state, name, why)
        else:
            state, more = _launch(state, name, worker.attempt + 1, now)
        effects += more
    return state, effects


def _launch(state: TeamState, name: str, attempt: int, now: float) -> Outcome:
    fields: dict[str, Any] = {
        "attempt": attempt,
        "due": now + HELLO_LIMIT,
        "launched": now,
        "broken": "",
        "held": "",
    }
    state, effects = enter(state, name, WorkerPhase.STARTING, now, **fields)
    return state, [*effects, Launch(name, attempt)]


def _hold(state: TeamState, name: str, why: str) -> Outcome:
    """Let a worker wait; that it does is said once for each thing that it waits for."""
    before = state.workers[name]
    if before.held == why:
        return state, []
    is_new = before.held.partition(":")[0] != why.partition(":")[0]
    return changed(state, name, replace(before, held=why)), [Held(name, why, is_new)]


def _is_ready(state: TeamState, worker: WorkerState, now: float) -> bool:
    if worker.paused:
        return False
    if worker.phase is WorkerPhase.BACKOFF:
        return worker.due is not None and now >= worker.due
    return worker.phase is WorkerPhase.WAITING and all(
        state.workers[need].phase is WorkerPhase.SUCCEEDED for need in worker.plan.needs
    )


def _why_held(state: TeamState, worker: WorkerState, now: float) -> str:
    """Say what a worker that is ready waits for. One worker at least always runs."""
    alive = [other for other in state.workers.values() if other.phase in ALIVE]
    if state.max_parallel is None:
        return ""
    if state.max_parallel != "auto":
        return "" if len(alive) < state.max_parallel else f"waits for one of {state.max_parallel} places"
    if all(other.paused for other in alive):
        return ""
    settling = tuple(other.plan.memory for other in alive if now - other.launched < SETTLING)
    return why_held(state.readings, worker.plan.memory, settling)
