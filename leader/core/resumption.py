"""How a team goes on under another leader: who is adopted, who is started again, who has ended. Pure."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from swarm.ipc.messages import WorkerResult
from swarm.leader.core.launcher import WorkerProcess
from swarm.leader.core.team import HELLO_LIMIT, STOP_GRACE, TeamState, WorkerState
from swarm.leader.core.views import WorkerPhase
from swarm.leader.plan.resolved import TeamPlan, WorkerPlan
from swarm.leader.session.entries import WorkerChanged, WorkerFinished

DIED = "it died while it had no leader"
"""Why a worker starts again that was not found."""

FindProcess = Callable[[int, float], WorkerProcess | None]
"""Gives the living process of an id that was started then, in seconds of the epoch."""


@dataclass(frozen=True, slots=True)
class LeftWorker:
    """A worker as the journal tells of it: its last change, when that was, and the result it sent."""

    changed: WorkerChanged
    at: float
    finished: WorkerFinished | None = None


@dataclass(frozen=True, slots=True)
class Resumption:
    """The team to go on with. `found` are the processes to adopt by worker.

    `dead` gives for the mark of each process tree that may have left something the id of its process.
    `changed` are the workers that are not what the journal says any more, and why.
    """

    state: TeamState
    found: Mapping[str, WorkerProcess] = field(default_factory=dict)
    dead: Mapping[str, int | None] = field(default_factory=dict)
    changed: Mapping[str, str] = field(default_factory=dict)

    @property
    def adopted(self) -> tuple[str, ...]:
        """The workers that were found alive."""
        return tuple(self.found)

    @property
    def restarted(self) -> tuple[str, ...]:
        """The workers that have to start again."""
        workers = self.state.workers
        return tuple(name for name in self.changed if workers[name].phase is WorkerPhase.BACKOFF)


_GONE_ON = frozenset({WorkerPhase.STARTING, WorkerPhase.RUNNING, WorkerPhase.STOPPING})


def resume_team(
    plan: TeamPlan, left: Mapping[str, LeftWorker], session_id: str, now: float, find: FindProcess
) -> Resumption:
    """Give how the team of `plan` goes on from what was left of it. `now` is in seconds of the epoch."""
    workers: dict[str, WorkerState] = {}
    found: dict[str, WorkerProcess] = {}
    dead: dict[str, int | None] = {}
    changed: dict[str, str] = {}
    for worker in plan.workers:
        name, before = worker.name, left.get(worker.name)
        if before is None or before.changed.phase not in _GONE_ON:
            workers[name] = _at_rest(worker, before, now)
            continue
        process = _find(before.changed, find)
        if process is None:
            workers[name], changed[name] = _dead(worker, before, now)
            dead[f"{session_id}/{name}/{before.changed.attempt}"] = before.changed.pid
        else:
            workers[name], found[name] = _alive(worker, before, now), process
    return Resumption(TeamState(MappingProxyType(workers), plan.max_parallel), found, dead, changed)


def _find(changed: WorkerChanged, find: FindProcess) -> WorkerProcess | None:
    if changed.pid is None or changed.process_started is None:
        return None
    return find(changed.pid, changed.process_started)


def _at_rest(plan: WorkerPlan, left: LeftWorker | None, now: float) -> WorkerState:
    """Give a worker that has no process: it waits, will be started again, or has ended."""
    if left is None:
        return WorkerState(plan, since=now)
    state = _state(plan, left, left.changed.phase, left.at)
    if state.phase is WorkerPhase.BACKOFF:
        return replace(state, due=now)
    return state


def _dead(plan: WorkerPlan, left: LeftWorker, now: float) -> tuple[WorkerState, str]:
    """Give a worker whose process is gone, and why: ended if it was about to, else to be started again.

    That counts for no retry: a leader's death is not the worker's fault.
    """
    ending = _ending(left)
    if ending is not None:
        return _state(plan, left, ending, now), left.changed.detail
    return replace(_state(plan, left, WorkerPhase.BACKOFF, now), due=now), DIED


def _alive(plan: WorkerPlan, left: LeftWorker, now: float) -> WorkerState:
    """Give a worker that is to be adopted: it has to say hello by mail, or to end as it was told to."""
    ending = _ending(left)
    if ending is None:
        state = _state(plan, left, WorkerPhase.STARTING, now)
        return replace(state, pid=left.changed.pid, due=now + HELLO_LIMIT)
    state = _state(plan, left, WorkerPhase.STOPPING, now)
    return replace(state, pid=left.changed.pid, due=now + STOP_GRACE, ending=ending)


def _ending(left: LeftWorker) -> WorkerPhase | None:
    """Give what a worker becomes that sent its result or was being stopped."""
    finished = left.finished
    if finished is not None and finished.attempt == left.changed.attempt:
        is_denied = finished.status == "failed" and finished.refused
        return WorkerPhase.DENIED if is_denied else WorkerPhase(finished.status)
    return WorkerPhase.CANCELLED if left.changed.phase is WorkerPhase.STOPPING else None


def _state(plan: WorkerPlan, left: LeftWorker, phase: WorkerPhase, since: float) -> WorkerState:
    changed, finished = left.changed, left.finished
    if finished is None or finished.attempt != changed.attempt:
        said = changed.detail if phase.ended or phase is WorkerPhase.STOPPING else ""
        return WorkerState(plan, phase, since, changed.attempt, ended_by=said)
    result = WorkerResult(status=finished.status, text=finished.text)
    said = "" if changed.detail == finished.text else changed.detail
    refused = finished.refused
    return WorkerState(plan, phase, since, changed.attempt, ended_by=said, result=result, refused=refused)
