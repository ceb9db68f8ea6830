"""How one event changes a team. Pure: what has to be done outside is returned as effects."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from swarm.leader.core.launching import launch_ready
from swarm.leader.core.moves import Outcome, enter
from swarm.leader.core.restarts import after_crash
from swarm.leader.core.team import (
    ALIVE,
    HELLO_LIMIT,
    STOP_GRACE,
    Adopt,
    AskToStop,
    Began,
    Broke,
    EndTree,
    Exited,
    Finished,
    Greeted,
    Launched,
    PauseWanted,
    SetPaused,
    StopWanted,
    TeamEffect,
    TeamEvent,
    TeamState,
    Ticked,
    WentOver,
    WorkerState,
    changed,
)
from swarm.leader.core.views import WorkerPhase

_STARTED = frozenset({WorkerPhase.STARTING, WorkerPhase.RUNNING})


def step(state: TeamState, event: TeamEvent, now: float) -> Outcome:
    """Give the team after `event` at time `now` (seconds), and what is to be done about it, in order.

    An event about an attempt that is over changes nothing.
    """
    if not _is_current(state, event):
        return state, []
    state, effects = _HANDLERS[type(event)](state, event, now)
    state, launches = launch_ready(state, now)
    return state, effects + launches


def _is_current(state: TeamState, event: TeamEvent) -> bool:
    if isinstance(event, Launched | Greeted | Finished | Exited | Broke | WentOver):
        worker = state.workers.get(event.worker)
        return worker is not None and worker.attempt == event.attempt and worker.phase in ALIVE
    return True


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
    return enter(state, event.worker, WorkerPhase.RUNNING, now, until=until)


def _finished(state: TeamState, event: Finished, now: float) -> Outcome:
    worker = state.workers[event.worker]
    if worker.broken and event.result.status != "succeeded":
        return state, []  # that is what its end by signals made of it
    if worker.phase is WorkerPhase.STOPPING:
        kept = replace(worker, result=event.result, refused=event.refused)
        return changed(state, event.worker, kept), []
    state, effects = _set_paused(state, event.worker, False)
    state, entered = enter(
        state,
        event.worker,
        WorkerPhase.STOPPING,
        now,
        due=now + STOP_GRACE,
        ending=_end_of(event),
        result=event.result,
        refused=event.refused,
    )
    return state, effects + entered


def _end_of(event: Finished) -> WorkerPhase:
    if event.result.status == "failed" and event.refused:
        return WorkerPhase.DENIED
    return WorkerPhase(event.result.status)


def _exited(state: TeamState, event: Exited, now: float) -> Outcome:
    worker = state.workers[event.worker]
    if worker.ending is not None:
        detail = worker.ended_by or (worker.result.text if worker.result else "")
        state, effects = enter(state, event.worker, worker.ending, now, detail, pid=None)
    else:
        state, effects = _crashed(state, event, now)
    return _skip_hopeless(state, effects, now)


def _crashed(state: TeamState, event: Exited, now: float) -> Outcome:
    worker = state.workers[event.worker]
    how = worker.broken or event.how
    left = 0 if state.stopping else worker.plan.retries + 1 - worker.attempt
    then = after_crash(left, worker.crashes, worker.delays, worker.launched, now, event.jitter)
    if then.delay is None:
        how = f"{then.why}: {how}" if then.why else how
        return enter(state, event.worker, WorkerPhase.FAILED, now, how, pid=None, ended_by=how)
    return enter(
        state,
        event.worker,
        WorkerPhase.BACKOFF,
        now,
        f"{how}; starting again in {then.delay:.1f} s",
        pid=None,
        due=now + then.delay,
        crashes=then.crashes,
        delays=then.delays,
    )


def _skip_hopeless(state: TeamState, effects: list[TeamEffect], now: float) -> Outcome:
    """Skip every waiting worker that needs one which ended without success, and so on down."""
    again = True
    while again:
        again = False
        for name, worker in state.workers.items():
            lost = _lost_need(state, worker)
            if worker.phase is WorkerPhase.WAITING and lost:
                state, more = enter(state, name, WorkerPhase.SKIPPED, now, lost, ended_by=lost)
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
    worker = state.workers[event.worker]
    ended = replace(worker, broken=worker.broken or event.why)
    return changed(state, event.worker, ended), [EndTree(event.worker, event.why, event.at_once)]


def _went_over(state: TeamState, event: WentOver, now: float) -> Outcome:
    return _stop_one(state, event.worker, event.why, WorkerPhase.FAILED, now)


def _pause_wanted(state: TeamState, event: PauseWanted, now: float) -> Outcome:
    """Pause also what has no process yet: it does not start then."""
    effects: list[TeamEffect] = []
    for name in list(state.workers) if event.worker is None else [event.worker]:
        phase = state.workers[name].phase
        if not phase.ended and phase is not WorkerPhase.STOPPING:
            state, more = _set_paused(state, name, event.paused)
            effects += more
    return state, effects


def _set_paused(state: TeamState, name: str, paused: bool) -> Outcome:
    worker = state.workers[name]
    if worker.paused == paused:
        return state, []
    return changed(state, name, replace(worker, paused=paused)), [SetPaused(name, paused)]


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
    phase = state.workers[name].phase
    if phase.ended or phase is WorkerPhase.STOPPING:
        return state, []
    state, effects = _set_paused(state, name, False)
    if phase not in _STARTED:
        state, entered = enter(state, name, ending, now, why, ended_by=why)
        return state, effects + entered
    fields = {"due": now + STOP_GRACE, "ending": ending, "ended_by": why}
    state, entered = enter(state, name, WorkerPhase.STOPPING, now, why, **fields)
    return state, [*effects, *entered, AskToStop(name, why, STOP_GRACE)]


def _ticked(state: TeamState, event: Ticked, now: float) -> Outcome:
    effects: list[TeamEffect] = []
    if event.readings is not None:
        state = replace(state, readings=event.readings)
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
    """Let the time in which a worker waited for a person, or was paused, not count against its limits."""
    for name, worker in state.workers.items():
        if not worker.paused and name not in event.waited:
            continue
        if worker.until is not None:
            worker = replace(worker, until=worker.until + event.seconds)
        if worker.paused and worker.phase is WorkerPhase.STARTING and worker.due is not None:
            worker = replace(worker, due=worker.due + event.seconds)
        state = changed(state, name, worker)
    return state


_OVERDUE = {
    WorkerPhase.STARTING: f"it said no hello within {HELLO_LIMIT:g} s",
    WorkerPhase.STOPPING: "it did not end by itself",
}


_HANDLERS: dict[type[Any], Callable[[TeamState, Any, float], Outcome]] = {
    Began: _began,
    Launched: _launched,
    Greeted: _greeted,
    Finished: _finished,
    Exited: _exited,
    Broke: _broke,
    WentOver: _went_over,
    PauseWanted: _pause_wanted,
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
