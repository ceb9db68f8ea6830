"""Where all that workers send comes in: written to the journal, shown on the board, passed on."""

import contextlib
import time
from collections.abc import Callable
from typing import Literal

from swarm.ipc.messages import (
    Answer,
    ChatMessage,
    EventPart,
    Hello,
    PermissionRequest,
    PermissionWithdrawn,
    Question,
    Result,
    Start,
    ToolEnded,
    Usage,
    WorkerResult,
)
from swarm.leader.core.approvals import Approvals
from swarm.leader.core.board import Board
from swarm.leader.core.link import Link
from swarm.leader.core.supervisor import Supervisor
from swarm.leader.core.team import Broke, Finished, Greeted, WorkerState
from swarm.leader.core.views import NoticeEntry, WorkerPhase
from swarm.leader.errors import JournalError
from swarm.leader.session.entries import AnyEntry, Happened, Noticed, WorkerChanged
from swarm.leader.session.journal import Journal
from swarm.permissions.model import Mode

STREAM_LIMIT = 64 * 1024 * 1024
"""Bytes of one worker's events that the journal keeps; a flood must not fill the disk."""

Level = Literal["info", "warning", "error"]
_LEVELS: dict[str, Level] = {"warning": "warning", "error": "error"}


class LeaderHouse:
    """Satisfies House and Watcher."""

    def __init__(self, journal: Journal, board: Board, mode_for: Callable[[str], Mode]) -> None:
        self._journal = journal
        self._mode_for = mode_for
        self._board = board
        self._written: dict[str, int] = {}

    def open(self, approvals: Approvals, supervisor: Supervisor) -> None:
        """Begin to pass on what comes in."""
        self._approvals = approvals
        self._supervisor = supervisor

    def write(self, entry: AnyEntry) -> None:
        """Write an entry that nothing waits for; if the disk refuses, say so."""
        try:
            self._journal.append(entry)
        except JournalError as error:
            self._board.notice(str(error))

    # What workers send

    def greeted(self, link: Link, hello: Hello) -> None:
        """Tell the worker what to do."""
        worker = self._supervisor.state.workers[link.name]
        mode = self._mode_for(link.name)
        link.send(start_message(worker, hello, self._results(), mode))
        self._supervisor.post(Greeted(link.name, link.attempt))

    def happened(self, link: Link, part: EventPart) -> None:
        """Show and keep an event."""
        if isinstance(part, ToolEnded):
            self._approvals.acted(link.name, part.call_id, part.outcome)
        self._keep(link.name, part)
        self._board.happened(link.name, part)

    def asked(self, link: Link, message: PermissionRequest) -> None:
        """Have a request decided."""
        self._approvals.asked(link, message)

    def took(self, link: Link, wire_id: str) -> None:
        """Take note that an answer has reached its worker."""
        self._approvals.took(link.name, wire_id)

    def withdrew(self, link: Link, message: PermissionWithdrawn) -> None:
        """Take a request back."""
        self._approvals.withdrawn(link.name, message)

    def questioned(self, link: Link, message: Question) -> None:
        """Tell the agent at once that nobody answers: this version has no card for questions."""
        link.send(Answer(question_id=message.id, declined=True))
        self._say(link.name, "warning", f"It asked what cannot be answered yet: {message.text}")

    def chatted(self, link: Link, message: ChatMessage) -> None:
        """Deliver a message of one worker to another, to all, or to the person."""
        self._say(link.name, "info", f"To {message.to or 'the leader'}: {message.text}")
        if not message.to:
            return
        names = [message.to] if message.to != "*" else list(self._supervisor.attempts)
        for name in names:
            target = self._supervisor.link(name)
            if target is not None and target is not link:
                target.send(ChatMessage(text=message.text, to=name, sender=link.name))
            elif target is None:
                self._say(link.name, "warning", f"Its message to {name} found nobody.")

    def used(self, link: Link, usage: Usage) -> None:
        """Add up tokens and cost."""
        self._board.used(link.name, usage)

    def finished(self, link: Link, result: Result) -> None:
        """Take the worker's result."""
        kept = WorkerResult(status=result.status, text=result.text)
        self._supervisor.post(Finished(link.name, link.attempt, kept, result.refused))

    def left(self, link: Link, why: str) -> None:
        """Orphan the requests of a worker that no answer can reach."""
        self._approvals.orphan(link.name, why)

    def broke(self, link: Link, why: str) -> None:
        """End a worker that cannot be led any longer."""
        self._supervisor.post(Broke(link.name, link.attempt, why))

    def logged(self, link: Link, level: str, text: str) -> None:
        """Keep a log line; warnings and errors are shown too."""
        if level in _LEVELS:
            self._say(link.name, _LEVELS[level], text)

    # How the team fares

    def phase_changed(self, worker: WorkerState, detail: str) -> None:
        """Write and show a new phase; who has ended leaves no request behind."""
        name = worker.plan.name
        self.write(
            WorkerChanged(
                worker=name,
                phase=worker.phase,
                attempt=worker.attempt,
                pid=worker.pid,
                detail=detail,
            )
        )
        if worker.phase in {WorkerPhase.BACKOFF, WorkerPhase.FAILED, WorkerPhase.SKIPPED}:
            self._board.noticed(name, NoticeEntry("error", detail or worker.phase, time.time()))
        self._board.touch()

    def worker_ended(self, name: str, why: str) -> None:
        """Say why a worker's process tree is being ended by signals."""
        self._say(name, "error", f"Its processes are ended: {why}.")

    def waiting(self) -> frozenset[str]:
        """Give the workers that wait for a person."""
        return frozenset(request.worker for request in self._approvals.queue)

    def worker_gone(self, name: str, how: str, expected: bool) -> None:
        """Orphan the requests of a worker whose process has exited."""
        self._approvals.orphan(name, how)
        if not expected:
            self._say(name, "error", f"The worker died without a result: {how}.")

    def _say(self, worker: str, level: Level, text: str) -> None:
        self.write(Noticed(level=level, text=text, worker=worker))
        self._board.noticed(worker, NoticeEntry(level, text, time.time()))

    def _keep(self, worker: str, part: EventPart) -> None:
        """Write an event behind all that is urgent, as long as the worker has not flooded us."""
        written = self._written.get(worker, 0)
        if written > STREAM_LIMIT:
            return
        size = 100 + len(getattr(part, "text", ""))
        self._written[worker] = written + size
        if written + size > STREAM_LIMIT:
            self._say(worker, "warning", "It reports so much that the journal keeps no more of it.")
        with contextlib.suppress(JournalError):  # said by whatever has to be written
            self._journal.append_stream(Happened(worker=worker, event=part))

    def _results(self) -> dict[str, WorkerResult]:
        workers = self._supervisor.state.workers.items()
        return {name: worker.result for name, worker in workers if worker.result is not None}


def start_message(worker: WorkerState, hello: Hello, results: dict[str, WorkerResult], mode: str) -> Start:
    """Give the message that tells a worker what to do."""
    plan = worker.plan
    return Start(
        protocol=max(hello.protocols, default=1),
        worker=plan.name,
        kind=plan.kind,
        agent=dict(plan.agent),
        cwd=str(plan.cwd),
        prompt=plan.prompt,
        env=dict(plan.env),
        tasks=results,
        mode=str(mode),
        attempt=worker.attempt,
    )
