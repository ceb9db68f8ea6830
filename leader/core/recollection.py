"""Finds out from a journal's records what a leader left, in memory that does not grow with them. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import msgspec

from swarm.ipc.messages import ToolEnded
from swarm.leader.core.left import Left
from swarm.leader.core.restoring import LeftRequest
from swarm.leader.core.resumption import LeftWorker
from swarm.leader.core.views import WorkerPhase
from swarm.leader.session.chain import Record
from swarm.leader.session.entries import (
    AnyEntry,
    CallDecided,
    Happened,
    ModeChanged,
    RequestAsked,
    RequestDecided,
    RequestEnded,
    RuleExpired,
    RuleGranted,
    RuleRevoked,
    SessionEnded,
    SessionResumed,
    SessionStarted,
    WorkerChanged,
    WorkerFinished,
)
from swarm.permissions.model import Behavior

CALLS_KEPT = 1_000
"""Of how many calls that rules decided the answer is kept for each worker, the newest."""


@dataclass(slots=True)
class Recollection:
    """What is known of a session after the records so far. `ended` is its end, if it has come to one."""

    started: SessionStarted | None = None
    started_at: float = 0.0
    ended: SessionEnded | None = None
    _workers: dict[str, LeftWorker] = field(default_factory=dict)
    _requests: dict[str, LeftRequest] = field(default_factory=dict)
    _calls: dict[str, dict[str, CallDecided]] = field(default_factory=dict)
    _grants: dict[int, tuple[RuleGranted, float]] = field(default_factory=dict)
    _request_count: int = 0
    _grant_count: int = 0

    def add(self, record: Record) -> None:
        """Take the next record."""
        if isinstance(record.entry, RequestAsked):
            self._request_count += 1
            self._requests[record.entry.request_id] = LeftRequest(record.entry, record.at, record.n)
        else:
            self._take(record.entry, record.at)
        if isinstance(record.entry, RequestAsked):
            asked = self._requests[record.entry.request_id]
            self._requests[record.entry.request_id] = replace(asked, entry=record.n)

    @property
    def left(self) -> Left | None:
        """What there is to go on with; None if the session never began."""
        if self.started is None:
            return None
        answered = tuple(call for calls in self._calls.values() for call in calls.values())
        return Left(
            started=self.started,
            started_at=self.started_at,
            workers=dict(self._workers),
            requests=tuple(self._requests.values()),
            answered=answered,
            grants=tuple(self._grants.values()),
            request_count=self._request_count,
            grant_count=self._grant_count,
        )

    def _take(self, entry: AnyEntry, at: float) -> None:
        match entry:
            case SessionStarted():
                self.started, self.started_at = entry, at
            case SessionResumed():
                self.ended = None
            case SessionEnded():
                self.ended = entry
            case ModeChanged(worker="") if self.started is not None:
                self.started = msgspec.structs.replace(self.started, mode=entry.mode)
            case WorkerChanged() | WorkerFinished():
                self._take_worker(entry, at)
            case RequestDecided() | RequestEnded():
                self._take_request(entry)
            case CallDecided():
                self._take_call(entry)
            case Happened(event=ToolEnded() as ended):
                self._calls.get(entry.worker, {}).pop(ended.call_id, None)
            case RuleGranted() | RuleRevoked() | RuleExpired():
                self._take_grant(entry, at)
            case _:
                pass  # the person saw it, and nothing is to be done about it

    def _take_worker(self, entry: WorkerChanged | WorkerFinished, at: float) -> None:
        before = self._workers.get(entry.worker)
        if isinstance(entry, WorkerFinished):
            if before is not None:
                self._workers[entry.worker] = replace(before, finished=entry)
            return
        if before is not None and before.changed.attempt == entry.attempt and not entry.phase.ended:
            pid, process_started = before.changed.pid, before.changed.process_started
            if entry.pid is None or entry.pid == pid:  # it still is the process that was named before
                started = entry.process_started or process_started
                entry = msgspec.structs.replace(entry, pid=pid, process_started=started)
        self._workers[entry.worker] = LeftWorker(entry, at, before.finished if before else None)
        if entry.phase is WorkerPhase.STARTING:
            self._calls.pop(entry.worker, None)

    def _take_request(self, entry: RequestDecided | RequestEnded) -> None:
        request_id = entry.request_id
        known = self._requests.get(request_id)
        if known is None:
            return
        if isinstance(entry, RequestDecided):
            self._requests[request_id] = replace(known, decided=entry)
            self._spend(entry.rule, entry.behavior)
        elif entry.state == "delivered":
            self._requests[request_id] = replace(known, delivered=True)
        else:
            del self._requests[request_id]

    def _take_call(self, entry: CallDecided) -> None:
        calls = self._calls.setdefault(entry.worker, {})
        calls[entry.call_id] = entry
        if len(calls) > CALLS_KEPT:
            del calls[next(iter(calls))]
        self._spend(entry.rule, entry.behavior)

    def _take_grant(self, entry: RuleGranted | RuleRevoked | RuleExpired, at: float) -> None:
        if isinstance(entry, RuleGranted):
            self._grant_count = max(self._grant_count + 1, entry.number)
            self._grants[entry.number] = (entry, at)
        else:
            self._grants.pop(entry.number, None)

    def _spend(self, rule: str, behavior: Behavior) -> None:
        """Count an allowed call against every grant of that rule: rather one too many than too few."""
        if behavior is not Behavior.ALLOW or not rule:
            return
        for number, (grant, at) in list(self._grants.items()):
            if grant.rule != rule or grant.uses is None:
                continue
            if grant.uses > 1:
                self._grants[number] = (msgspec.structs.replace(grant, uses=grant.uses - 1), at)
            else:
                del self._grants[number]


def recollect(records: Iterable[Record]) -> Recollection:
    """Give what all records together tell."""
    recollection = Recollection()
    for record in records:
        recollection.add(record)
    return recollection
