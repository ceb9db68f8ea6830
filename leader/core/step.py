"""How one event changes a team. Pure: what has to be done outside is returned as effects."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from swarm.leader.core.team import (
    ALIVE,
    BACKOFF_CAP,
    BACKOFF_FIRST,
    HELLO_LIMIT,
    JITTER,
    PHASES,
    STOP_GRACE,
    Adopt,
    AskToStop,
    Began,
    Broke,
    EndTree,
    Exited,
    Finished,
    Greeted,
    Launch,
    Launched,
    PhaseChanged,
    StopWanted,
    TeamEffect,
    TeamEvent,
    TeamState,
    Ticked,
    WorkerState,
    changed,
)
from swarm.leader.core.views import WorkerPhase

Outcome = tuple[TeamState, list[TeamEffect]]


def step(state: TeamState, event: TeamEvent, now: float) -> Outcome:
    """Give the team after `event` at time `now` (seconds), and what is to be done about it, in order.

    An event about an attempt that is over changes nothing.
    """
    if not _is_current(state, event):
        return state, []
    state, effects = _HANDLERS[type(event)](state, event, now)
    state, launches = _launch_ready(state, now)
    return state, effects + launches


def _is_current(state: TeamState, event: TeamEvent) -> bool:
    if isinstance(event, Launched | Greeted | Finished | Exited | Broke):
        worker = state.workers.get(event.worker)
        return worker is not None and worker.attempt == event.attempt and worker.phase in ALIVE
    return True


def _enter(
    state: TeamState, name: str, phase: WorkerPhase, now: float, detail: str = "", **fields: Any
) -> Outcome:
    """Move a worker along the table of phases, with further fields changed."""
    worker = state.workers[name]
    assert phase in PHASES[worker.phase], f"{name}: {worker.phase} -> {phase}"
    moved = replace(worker, **{"phase": phase, "since": now, "due": None, **fields})
    return changed(state, name, moved), [PhaseChanged(name, phase, detail)]


def _began(state: TeamState, event: Began, now: float) -> Outcome:
    """Adopt what is alive before anything was launched: another leader has left it."""
    alive = (worker for worker in state.workers.values() if worker.phase in ALIVE)
    return _skip_hopeless(state, [Adopt(worker.plan.name, worker.attempt) for worker in alive], now)


def _launched(state: TeamState, event: Launched, now: float) -> Outcome:
    worker = state.workers[event.worker]
    return changed(state, event.worker, replace(worker, pid=event.pid)), []


def _greeted(state: TeamState, event: Greeted, now: float) -> Outcome:
    worker = state.workers[event.worker]
    if worker.phase is not WorkerPhase.STARTING:
        return state, []
    limit = worker.plan.timeout
    until = None if limit is None else now + limit
    return _enter(state, event.worker, WorkerPhase.RUNNING, now, until=until)


def _finished(state: TeamState, event: Finished, now: float) -> Outcome:
    worker = state.workers[event.worker]
    if worker.phase is WorkerPhase.STOPPING:
        kept = replace(worker, result=event.result, refused=event.refused)
        return changed(state, event.worker, kept), []
    ending = _end_of(event)
    return _enter(
        state,
        event.worker,
        WorkerPhase.STOPPING,
        now,
        due=now + STOP_GRACE,
        ending=ending,
        result=event.result,
        refused=event.refused,
    )


def _end_of(event: Finished) -> WorkerPhase:
    if event.result.status == "failed" and event.refused:
        return WorkerPhase.DENIED
    return WorkerPhase(event.result.status)


def _exited(state: TeamState, event: Exited, now: float) -> Outcome:
    worker = state.workers[event.worker]
    if worker.ending is not None:
        detail = worker.ended_by or (worker.result.text if worker.result else "")
        state, effects = _enter(state, event.worker, worker.ending, now, detail, pid=None)
    elif worker.attempt <= worker.plan.retries and not state.stopping:
        delay = _backoff(worker.attempt, event.jitter)
        detail = f"{event.how}; starting again in {delay:.1f} s"
        state, effects = _enter(
            state, event.worker, WorkerPhase.BACKOFF, now, detail, pid=None, due=now + delay
        )
    else:
        end = WorkerPhase.FAILED
        state, effects = _enter(state, event.worker, end, now, event.how, pid=None, ended_by=event.how)
    return _skip_hopeless(state, effects, now)


def _backoff(attempt: int, jitter: float) -> float:
    delay: float = BACKOFF_FIRST * 2 ** (attempt - 1)
    return min(BACKOFF_CAP, delay) * (1 + JITTER * jitter)


def _skip_hopeless(state: TeamState, effects: list[TeamEffect], now: float) -> Outcome:
    """Skip every waiting worker that needs one which ended without success, and so on down."""
    again = True
    while again:
        again = False
        for name, worker in state.workers.items():
            lost = _lost_need(state, worker)
            if worker.phase is WorkerPhase.WAITING and lost:
                state, more = _enter(state, name, WorkerPhase.SKIPPED, now, lost, ended_by=lost)
                effects = effects + more
                again = True
    return state, effects


def _lost_need(state: TeamState, worker: WorkerState) -> str:
    for need in worker.plan.needs:
        phase = state.workers[need].phase
        if phase.ended and phase is not WorkerPhase.SUCCEEDED:
            return f"it needs {need}, which ended as {phase}"
    return ""


def _broke(state: TeamState, event: Broke, now: float) -> Outcome:
    return state, [EndTree(event.worker, event.why)]


def _stop_wanted(state: TeamState, event: StopWanted, now: float) -> Outcome:
    names = list(state.workers) if event.worker is None else [event.worker]
    if event.worker is None:
        state = replace(state, stopping=True)
    effects: list[TeamEffect] = []
    for name in names:
        state, more = _stop_one(state, name, event.why, WorkerPhase.CANCELLED, now)
        effects += more
    return _skip_hopeless(state, effects, now)


def _stop_one(state: TeamState, name: str, why: str, ending: WorkerPhase, now: float) -> Outcome:
    worker = state.workers[name]
    if worker.phase in {WorkerPhase.WAITING, WorkerPhase.BACKOFF}:
        return _enter(state, name, ending, now, why, ended_by=why)
    if worker.phase not in {WorkerPhase.STARTING, WorkerPhase.RUNNING}:
        return state, []
    fields = {"due": now + STOP_GRACE, "ending": ending, "ended_by": why}
    state, effects = _enter(state, name, WorkerPhase.STOPPING, now, why, **fields)
    return state, [*effects, AskToStop(name, why, STOP_GRACE)]


def _ticked(state: TeamState, event: Ticked, now: float) -> Outcome:
    effects: list[TeamEffect] = []
    state = _put_off(state, event)
    for name, worker in state.workers.items():
        if worker.phase is WorkerPhase.RUNNING and worker.until is not None and now >= worker.until:
            why = f"its time limit of {worker.plan.timeout:g} s has passed"
            state, more = _stop_one(state, name, why, WorkerPhase.FAILED, now)
            effects += more
        elif worker.phase in _OVERDUE and worker.due is not None and now >= worker.due:
            state = changed(state, name, replace(worker, due=None))
            effects.append(EndTree(name, _OVERDUE[worker.phase]))
    return state, effects


def _put_off(state: TeamState, event: Ticked) -> TeamState:
    """Let the time in which a worker waited for a person not count against its limit."""
    for name in event.waited:
        worker = state.workers[name]
        if worker.until is not None:
            state = changed(state, name, replace(worker, until=worker.until + event.seconds))
    return state


_OVERDUE = {
    WorkerPhase.STARTING: f"it said no hello within {HELLO_LIMIT:g} s",
    WorkerPhase.STOPPING: "it did not end by itself",
}


def _launch_ready(state: TeamState, now: float) -> Outcome:
    """Launch what waits for nothing any more, within the limit of processes at once."""
    effects: list[TeamEffect] = []
    alive = sum(worker.phase in ALIVE for worker in state.workers.values())
    for name, worker in state.workers.items():
        if state.stopping or (state.max_parallel is not None and alive >= state.max_parallel):
            break
        if _is_ready(state, worker, now):
            attempt = worker.attempt + 1
            state, entered = _enter(
                state, name, WorkerPhase.STARTING, now, attempt=attempt, due=now + HELLO_LIMIT
            )
            effects += [*entered, Launch(name, attempt)]
            alive += 1
    return state, effects


def _is_ready(state: TeamState, worker: WorkerState, now: float) -> bool:
    if worker.phase is WorkerPhase.BACKOFF:
        return worker.due is not None and now >= worker.due
    return worker.phase is WorkerPhase.WAITING and all(
        state.workers[need].phase is WorkerPhase.SUCCEEDED for need in worker.plan.needs
    )


_HANDLERS: dict[type[Any], Callable[[TeamState, Any, float], Outcome]] = {
    Began: _began,
    Launched: _launched,
    Greeted: _greeted,
    Finished: _finished,
    Exited: _exited,
    Broke: _broke,
    StopWanted: _stop_wanted,
    Ticked: _ticked,
}


def exit_code(state: TeamState, *, interrupted: bool, refused: bool = False) -> int:
    """Give the run's exit code: 0 all succeeded, 1 one failed, 3 a needed call refused, 130 stopped.

    `refused` says that a refused call ended the run, so that workers were cancelled for it alone.
    """
    if interrupted:
        return 130
    phases = {worker.phase for worker in state.workers.values()}
    if WorkerPhase.FAILED in phases or (WorkerPhase.CANCELLED in phases and not refused):
        return 1
    return 3 if refused or WorkerPhase.DENIED in phases else 0
