"""Paints the picture of the team that front ends show. Pure."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace

from swarm.leader.core.board import Board, WorkerRecord
from swarm.leader.core.team import TeamState, WorkerState
from swarm.leader.core.views import RequestView, TeamView, WorkerPhase, WorkerView

_ACTIVE = frozenset({WorkerPhase.STARTING, WorkerPhase.RUNNING})
_AT_REST = frozenset({WorkerPhase.WAITING, WorkerPhase.BACKOFF})


def paint_team(
    state: TeamState,
    board: Board,
    queue: tuple[RequestView, ...],
    colors: Mapping[str, str],
    frame: TeamView,
) -> TeamView:
    """Give `frame` with workers, queue and notices as they are now."""
    waiting: dict[str, list[float]] = defaultdict(list)
    for request in queue:
        waiting[request.worker].append(request.asked_at)
    workers = tuple(
        _paint_worker(worker, board.records[name], colors[name], waiting[name])
        for name, worker in state.workers.items()
    )
    return replace(frame, workers=workers, queue=queue, notices=board.notices, stopping=state.stopping)


def _paint_worker(
    worker: WorkerState, record: WorkerRecord, color: str, waiting: list[float]
) -> WorkerView:
    result = worker.result.text if worker.result else ""
    return WorkerView(
        name=worker.plan.name,
        kind=worker.plan.kind,
        color=color,
        phase=worker.phase,
        since=worker.since,
        activity=_activity(worker, record, result),
        pid=worker.pid,
        attempt=worker.attempt,
        needs=worker.plan.needs,
        waiting_requests=len(waiting),
        oldest_request=min(waiting, default=None),
        cost=record.cost,
        tokens=record.tokens,
        result=result,
        paused=worker.paused,
    )


def _activity(worker: WorkerState, record: WorkerRecord, result: str) -> str:
    """Give one line: what an active worker does, what others wait for, or how they ended."""
    if worker.phase in _ACTIVE:
        return record.activity
    if worker.held and worker.phase in _AT_REST:
        return worker.held
    if worker.phase is WorkerPhase.WAITING and worker.plan.needs:
        return "needs " + ", ".join(worker.plan.needs)
    said = (worker.ended_by or result).strip()
    return said.splitlines()[0] if said else ""
