"""What front ends are told: gathers what happened for 16 ms, then tells each subscriber once."""

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from swarm.ipc.messages import EventPart, Phase, ToolEnded, ToolStarted, Usage
from swarm.leader.core.transcript import extend
from swarm.leader.core.views import NoticeEntry, Transcript

BATCH = 0.016  # seconds
PARTS_LIMIT = 1_000  # parts of one worker that may wait to be put into its transcript
NOTICE_LIMIT = 100

Changed = Callable[[frozenset[str]], None]


@dataclass(slots=True)
class WorkerRecord:
    """What has been seen of one worker. `parts` are not yet in `transcript`."""

    transcript: Transcript = field(default_factory=Transcript)
    parts: list[EventPart | NoticeEntry] = field(default_factory=list)
    activity: str = ""
    tokens: int = 0
    cost: float = 0.0

    def reduce(self) -> None:
        """Put the waiting parts into the transcript."""
        if self.parts:
            self.transcript = extend(self.transcript, self.parts)
            self.parts.clear()


class Board:
    """Records by worker, and the subscribers that look at them."""

    def __init__(self, workers: tuple[str, ...]) -> None:
        self.records = {name: WorkerRecord() for name in workers}
        self.notices: tuple[str, ...] = ()
        self.revision = 0
        self._subscribers: list[Changed] = []
        self._changed: set[str] = set()
        self._is_due = False

    def __repr__(self) -> str:
        return f"<Board workers={len(self.records)} subscribers={len(self._subscribers)}>"

    def happened(self, worker: str, part: EventPart) -> None:
        """Take in something that a worker reported."""
        record = self.records[worker]
        activity = _activity(part, record.activity)
        if activity != record.activity:
            record.activity = activity
            self.revision += 1
        self._take(worker, record, part)

    def noticed(self, worker: str, entry: NoticeEntry) -> None:
        """Take in a line of the leader's own about a worker."""
        self._take(worker, self.records[worker], entry)

    def used(self, worker: str, usage: Usage) -> None:
        """Add up what a worker used."""
        record = self.records[worker]
        record.tokens += usage.input_tokens + usage.output_tokens
        record.cost += usage.cost
        self.touch()

    def notice(self, text: str) -> None:
        """Show a line about the whole team."""
        self.notices = (*self.notices, text)[-NOTICE_LIMIT:]
        self.touch()

    def touch(self) -> None:
        """Say that the team's picture has changed."""
        self.revision += 1
        self._schedule()

    def transcript(self, worker: str) -> Transcript:
        """Give the transcript with all that has happened so far."""
        record = self.records[worker]
        record.reduce()
        return record.transcript

    @contextlib.contextmanager
    def subscribe(self, changed: Changed) -> Iterator[None]:
        """Call `changed` at most once per 16 ms while the context is open."""
        self._subscribers.append(changed)
        try:
            yield
        finally:
            self._subscribers.remove(changed)

    def flush(self) -> None:
        """Tell the subscribers now what waits to be told."""
        self._is_due = False
        for name in self._changed:
            self.records[name].reduce()
        names = frozenset(self._changed)
        self._changed.clear()
        for changed in tuple(self._subscribers):
            changed(names)

    def _take(self, worker: str, record: WorkerRecord, part: EventPart | NoticeEntry) -> None:
        record.parts.append(part)
        if len(record.parts) >= PARTS_LIMIT:
            record.reduce()
        self._changed.add(worker)
        self._schedule()

    def _schedule(self) -> None:
        if not self._is_due:
            self._is_due = True
            asyncio.get_running_loop().call_later(BATCH, self.flush)


def _activity(part: EventPart, before: str) -> str:
    """Give the one line that says what the worker does now."""
    match part:
        case ToolStarted():
            return part.title if part.title.startswith(part.tool) else f"{part.tool}: {part.title}"
        case ToolEnded():
            return ""
        case Phase():
            return part.detail or part.phase.replace("_", " ")
        case _:
            return before
