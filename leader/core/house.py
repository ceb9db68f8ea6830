"""Where all that workers send comes in: written to the journal, shown on the board, passed on."""

import contextlib
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from swarm.ipc.call_log import call_log_of, read_calls
from swarm.ipc.messages import (
    Adopt,
    Answer,
    ChatMessage,
    EventPart,
    Hello,
    PermissionRequest,
    PermissionWithdrawn,
    Question,
    Result,
    Shutdown,
    Start,
    ToolEnded,
    Usage,
    WorkerResult,
)
from swarm.leader.core.approvals import Approvals
from swarm.leader.core.board import Board
from swarm.leader.core.link import Link
from swarm.leader.core.supervisor import Supervisor
from swarm.leader.core.team import STOP_GRACE, Broke, Finished, Greeted, WorkerState
from swarm.leader.core.views import NoticeEntry, WorkerPhase
from swarm.leader.errors import JournalError
from swarm.leader.session.entries import AnyEntry, Happened, Noticed, WorkerChanged, WorkerFinished
from swarm.leader.session.journal import Journal
from swarm.leader.session.presence import process_start
from swarm.permissions.model import Mode

STREAM_LIMIT = 64 * 1024 * 1024
"""Bytes of one worker's events that the journal keeps; a flood must not fill the disk."""

Level = Literal["info", "warning", "error"]
_LEVELS: dict[str, Level] = {"warning": "warning", "error": "error"}


@dataclass(frozen=True, slots=True)
class Holding:
    """Where workers find the session's mail when their leader is gone, and how long they wait, in seconds.

    Without a folder they end with their leader.
    """

    folder: str = ""
    limit: float = 600.0


class LeaderHouse:
    """Satisfies House and Watcher. `folder` is the session's; `holding` may be set until workers start."""

    def __init__(
        self, journal: Journal, folder: Path, board: Board, mode_for: Callable[[str], Mode]
    ) -> None:
        self.holding = Holding()
        self._folder = folder
        self._journal = journal
        self._mode_for = mode_for
        self._board = board
        self._written: dict[str, int] = {}

    def open(
        self,
        approvals: Approvals,
        supervisor: Supervisor,
        prepare: Callable[[str], None],
    ) -> None:
        """Begin to pass on what comes in; `prepare` is called with each worker before it is launched."""
        self._prepare = prepare
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
        """Tell the worker what to do, or to go on with what it does.

        That it runs is written before it begins: only a process that is known can be found again.
        """
        if hello.worker and (hello.worker, hello.attempt) != (link.name, link.attempt):
            self.broke(link, f"it says that it is attempt {hello.attempt} of {hello.worker!a:.100}")
            return
        self._supervisor.post(Greeted(link.name, link.attempt))
        if hello.worker:
            self._adopt(link, hello)
            return
        worker = self._supervisor.state.workers[link.name]
        mode = self._mode_for(link.name)
        link.send(start_message(worker, hello, self._results(), mode, self.holding))

    def _adopt(self, link: Link, hello: Hello) -> None:
        worker = self._supervisor.state.workers[link.name]
        protocol = max(hello.protocols, default=1)
        link.send(Adopt(protocol=protocol, mode=str(self._mode_for(link.name)), pid=os.getpid()))
        if worker.phase is WorkerPhase.STOPPING and worker.result is None:
            link.send(Shutdown(why=worker.ended_by, grace=STOP_GRACE))

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
        self.write(
            WorkerFinished(
                worker=link.name,
                attempt=link.attempt,
                status=result.status,
                text=result.text,
                refused=result.refused,
            )
        )
        self._supervisor.post(Finished(link.name, link.attempt, kept, result.refused))

    def left(self, link: Link, why: str) -> None:
        """Keep the requests of a worker that may come back; its process tells when they end."""

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
        if worker.phase is WorkerPhase.STARTING:
            self._prepare(name)
        self.write(
            WorkerChanged(
                worker=name,
                phase=worker.phase,
                attempt=worker.attempt,
                pid=worker.pid,
                detail=detail,
                process_started=None if worker.pid is None else process_start(worker.pid),
            )
        )
        if worker.phase in {WorkerPhase.BACKOFF, WorkerPhase.FAILED, WorkerPhase.SKIPPED}:
            self._board.noticed(name, NoticeEntry("error", detail or worker.phase, time.time()))
        self._board.touch()

    def worker_ended(self, name: str, why: str) -> None:
        """Say why a worker's process tree is being ended by signals."""
        self._say(name, "error", f"Its processes are ended: {why}.")

    def worker_held(self, name: str, why: str, is_new: bool) -> None:
        """Show what a worker waits for that could start else; write it once."""
        if is_new:
            self._say(name, "info", f"It {why}.")
        self._board.touch()

    def worker_paused(self, name: str, paused: bool) -> None:
        """Say that a person let a worker stand still, or go on."""
        self._say(name, "info", "It is paused." if paused else "It goes on.")
        self._board.touch()

    def strays_ended(self, names: list[str]) -> None:
        """Say which processes were ended that belonged to no living worker."""
        text = f"Ended what workers had left running: {', '.join(names)}."
        self.write(Noticed(level="warning", text=text))
        self._board.notice(text)

    def waiting(self) -> frozenset[str]:
        """Give the workers that wait for a person."""
        return frozenset(request.worker for request in self._approvals.queue)

    def worker_gone(self, name: str, how: str, expected: bool) -> None:
        """End the requests of a worker whose process has exited, by what it wrote of its calls."""
        self._approvals.lost(name, read_calls(call_log_of(self._folder, name)), how)
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


def start_message(
    worker: WorkerState, hello: Hello, results: dict[str, WorkerResult], mode: str, holding: Holding
) -> Start:
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
        session=holding.folder,
        hold=holding.limit,
    )
