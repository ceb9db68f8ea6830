"""What happened in a session so far, gathered from its journal's records in bounded memory. Pure."""

from collections import Counter, deque
from dataclasses import dataclass, field

from swarm.leader.session.chain import Record
from swarm.leader.session.entries import (
    AnyEntry,
    CallDecided,
    Noticed,
    RequestAsked,
    RequestDecided,
    RequestEnded,
    RuleGranted,
    SessionEnded,
    SessionStarted,
    WorkerChanged,
)
from swarm.permissions.model import Behavior

KEPT = 200
"""How many denied calls, granted rules and notices are kept, the newest; all are counted."""


@dataclass(frozen=True, slots=True)
class DeniedCall:
    """A call that was not allowed. `request_id` is empty if rules decided it. Text is hostile."""

    at: float
    worker: str
    agent: tuple[str, ...]
    tool: str
    title: str
    reason: str
    rule: str
    message: str
    request_id: str = ""


@dataclass(slots=True)
class History:
    """The session as its journal tells it. `waiting` are the requests that have no end, by id."""

    started: SessionStarted | None = None
    started_at: float = 0.0
    last_at: float = 0.0
    ended: SessionEnded | None = None
    workers: dict[str, WorkerChanged] = field(default_factory=dict)
    waiting: dict[str, RequestAsked] = field(default_factory=dict)
    reasons: Counter[str] = field(default_factory=Counter)
    denied: deque[DeniedCall] = field(default_factory=lambda: deque(maxlen=KEPT))
    denied_count: int = 0
    granted: deque[RuleGranted] = field(default_factory=lambda: deque(maxlen=KEPT))
    notices: deque[tuple[float, Noticed]] = field(default_factory=lambda: deque(maxlen=KEPT))
    notice_count: int = 0
    entries: int = 0

    def add(self, record: Record) -> None:
        """Take the next record."""
        self.entries = record.n
        self.last_at = record.at
        self._add(record.at, record.entry)

    def _add(self, at: float, entry: AnyEntry) -> None:
        match entry:
            case SessionStarted():
                self.started, self.started_at, self.ended = entry, at, None
            case SessionEnded():
                self.ended = entry
            case WorkerChanged():
                self.workers[entry.worker] = entry
            case RequestAsked():
                self.waiting[entry.request_id] = entry
            case RequestDecided():
                self._decided(at, entry)
            case CallDecided():
                self._call_decided(at, entry)
            case RequestEnded():
                self.waiting.pop(entry.request_id, None)
            case RuleGranted():
                self.granted.append(entry)
            case Noticed():
                self.notice_count += 1
                self.notices.append((at, entry))
            case _:
                pass

    def _decided(self, at: float, entry: RequestDecided) -> None:
        self.reasons[entry.reason] += 1
        asked = self.waiting.pop(entry.request_id, None)
        if entry.behavior is Behavior.DENY:
            self._deny(
                DeniedCall(
                    at=at,
                    worker=entry.worker,
                    agent=asked.agent if asked else (),
                    tool=asked.tool if asked else "",
                    title=asked.preview.title if asked else "",
                    reason=entry.reason,
                    rule=entry.rule,
                    message=entry.message,
                    request_id=entry.request_id,
                )
            )

    def _call_decided(self, at: float, entry: CallDecided) -> None:
        self.reasons[entry.reason] += 1
        if entry.behavior is Behavior.DENY:
            self._deny(
                DeniedCall(
                    at=at,
                    worker=entry.worker,
                    agent=entry.agent,
                    tool=entry.tool,
                    title=entry.preview.title,
                    reason=entry.reason,
                    rule=entry.placed_rule,
                    message=entry.message or entry.why,
                )
            )

    def _deny(self, call: DeniedCall) -> None:
        self.denied_count += 1
        self.denied.append(call)
