"""What a test plays in a `FakeClient`: workers, requests, transcripts. Decides nothing."""

from collections.abc import Callable
from dataclasses import replace
from itertools import count
from typing import Any

from swarm.ipc.digest import content_digest
from swarm.ipc.messages import Preview
from swarm.leader import registry
from swarm.leader.core.views import (
    Entry,
    NoticeEntry,
    RequestView,
    TeamView,
    TextEntry,
    ToolEntry,
    Transcript,
    WorkerPhase,
    WorkerView,
)
from swarm.leader.errors import UnknownWorker
from swarm.leader.palette import CYCLE

KEPT_ENTRIES = 2000
KEPT_TEXT = 16_384


class Script:
    """The scene: every method changes it and calls `changed`. `ended` tells how a request ended, by id."""

    def __init__(self, name: str, clock: Callable[[], float]) -> None:
        self.clock = clock
        self.ended: dict[str, str] = {}
        self._team = TeamView("s1", name, "default", clock(), ())
        self._entries: dict[str, list[Entry]] = {}
        self._first: dict[str, int] = {}
        self._revisions = count(1)
        self._ids = count(1)
        self._made: dict[str, Transcript] = {}

    def changed(self, worker: str = "") -> None:
        """Called after every change; `worker` if its transcript is what changed."""

    def team(self) -> TeamView:
        """Give the present picture."""
        return self._team

    def transcript(self, worker: str) -> Transcript:
        """Give the last entries of one worker. Raises UnknownWorker."""
        self.worker(worker)
        if worker not in self._made:
            self._made[worker] = Transcript(
                tuple(self._entries[worker]), self._first[worker], next(self._revisions)
            )
        return self._made[worker]

    def worker(self, name: str) -> WorkerView:
        """Give one worker. Raises UnknownWorker."""
        for worker in self._team.workers:
            if worker.name == name:
                return worker
        raise UnknownWorker(name, [worker.name for worker in self._team.workers])

    def change_team(self, **changes: Any) -> None:
        """Replace fields of the team."""
        self._team = replace(self._team, **changes)
        if "queue" in changes:
            self._publish(self._team.queue)
        self.changed()

    def _publish(self, queue: tuple[RequestView, ...]) -> None:
        setter = registry.get_confirm_queue()
        if setter is not None:
            setter(lambda _: queue)

    def add_worker(self, name: str, **fields: Any) -> WorkerView:
        """Add a running worker with the next colour of the cycle, unless `fields` say otherwise."""
        color = CYCLE[len(self._team.workers) % len(CYCLE)]
        usual: dict[str, Any] = {
            "kind": "script",
            "color": color,
            "phase": WorkerPhase.RUNNING,
            "since": self.clock(),
            "attempt": 1,
        }
        worker = WorkerView(name=name, **(usual | fields))
        self._entries[name], self._first[name] = [], 0
        self.change_team(workers=(*self._team.workers, worker))
        return worker

    def change_worker(self, name: str, **changes: Any) -> None:
        """Replace fields of a worker."""
        changed = replace(self.worker(name), **changes)
        workers = tuple(changed if worker.name == name else worker for worker in self._team.workers)
        self.change_team(workers=workers)

    def ask(self, worker: str, tool: str, input: dict[str, Any], **fields: Any) -> RequestView:
        """Put a request at the end of the queue."""
        preview = fields.pop("preview", None) or Preview(title=str(next(iter(input.values()), tool)))
        usual: dict[str, Any] = {
            "id": f"r{next(self._ids)}",
            "color": self.worker(worker).color,
            "agent": (),
            "cwd": "/project",
            "asked_at": self.clock(),
            "why": "no rule covers it",
        }
        named = usual | fields
        digest = content_digest(tool, input, named["cwd"], preview)
        request = RequestView(
            worker=worker, tool=tool, input=input, preview=preview, digest=digest, **named
        )
        self.change_team(queue=(*self._team.queue, request))
        self._recount(worker)
        return request

    def resolve(self, request_id: str, how: str = "withdrawn") -> None:
        """Take a request out of the queue; later answers get `how`."""
        gone = [request for request in self._team.queue if request.id == request_id]
        self.ended[request_id] = how
        self.change_team(queue=tuple(r for r in self._team.queue if r.id != request_id))
        for request in gone:
            self._recount(request.worker)

    def _recount(self, worker: str) -> None:
        ages = [request.asked_at for request in self._team.queue if request.worker == worker]
        self.change_worker(worker, waiting_requests=len(ages), oldest_request=min(ages, default=None))

    def say(self, worker: str, text: str, *, thinking: bool = False) -> None:
        """Stream text of the agent: it is appended to the open message."""
        entries = self._entries[worker]
        last = entries[-1] if entries else None
        if isinstance(last, TextEntry) and last.thinking == thinking and len(last.text) < KEPT_TEXT:
            entries[-1] = replace(last, text=last.text + text)
            self._touch(worker)
        else:
            self._add(worker, TextEntry(text, thinking))

    def notice(self, worker: str, text: str, level: Any = "info") -> None:
        """Add a line of the leader's own."""
        self._add(worker, NoticeEntry(level, text, self.clock()))

    def begin_tool(self, worker: str, call_id: str, tool: str, title: str) -> None:
        """Begin a tool call."""
        self._add(worker, ToolEntry(call_id, tool, title))

    def change_tool(self, worker: str, call_id: str, **changes: Any) -> None:
        """Replace fields of a tool call's entry."""
        entries = self._entries[worker]
        for at in range(len(entries) - 1, -1, -1):
            entry = entries[at]
            if isinstance(entry, ToolEntry) and entry.call_id == call_id:
                entries[at] = replace(entry, **changes)
                break
        self._touch(worker)

    def _add(self, worker: str, entry: Entry) -> None:
        entries = self._entries[worker]
        entries.append(entry)
        surplus = len(entries) - KEPT_ENTRIES
        if surplus > 0:
            del entries[:surplus]
            self._first[worker] += surplus
        self._touch(worker)

    def _touch(self, worker: str) -> None:
        self._made.pop(worker, None)
        self.changed(worker)
