"""The leader of one session: puts supervision, approvals and the board together behind Client."""

import contextlib
import os
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass

import anyio

from swarm.ipc.messages import ChatMessage
from swarm.leader.core.approvals import Approvals
from swarm.leader.core.asking import OnAsk, Surroundings
from swarm.leader.core.board import Board
from swarm.leader.core.entries import expired_entry, revoked_entry
from swarm.leader.core.grants import grant_view, preview_offer
from swarm.leader.core.house import LeaderHouse
from swarm.leader.core.judge import RuleJudge
from swarm.leader.core.launcher import Launcher, SubprocessLauncher
from swarm.leader.core.outside_classifier import outside_classifier
from swarm.leader.core.picture import paint_team
from swarm.leader.core.processes import adopting_orphans
from swarm.leader.core.stderr_log import StderrLog
from swarm.leader.core.step import exit_code
from swarm.leader.core.supervisor import Supervisor
from swarm.leader.core.team import StopWanted, first_state
from swarm.leader.core.views import (
    AnswerToRequest,
    GrantView,
    MissedCall,
    OfferPreview,
    TeamView,
    Transcript,
)
from swarm.leader.errors import JournalError, UnknownRequest, UnknownWorker, WorkerEnded
from swarm.leader.palette import assign_colors
from swarm.leader.plan.resolved import TeamPlan
from swarm.leader.policies import Policies
from swarm.leader.session.entries import Noticed, SessionEnded, SessionStarted
from swarm.leader.session.folder import Session
from swarm.permissions.model import Mode

RULES_CHECK = 1.0  # seconds between two looks at the settings files
MEND_CHECK = 2.0  # seconds between two tries to write a journal that could not be written


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How a run differs from what its plan says.

    `on_ask` says what becomes of a call that no rule decides. `person` says that a person may answer,
    so that the classifier may race them. `mode` replaces the plan's and that of each worker.
    """

    on_ask: OnAsk = "wait"
    person: bool = True
    mode: Mode | None = None
    launcher: Launcher | None = None


class Leader:
    """Leads one team. Satisfies Client; `run` does the leading."""

    def __init__(self, plan: TeamPlan, session: Session, options: RunOptions) -> None:
        self._plan = plan
        self._session = session
        self._options = options
        self._names = tuple(worker.name for worker in plan.workers)
        self._colors = assign_colors({worker.name: worker.color for worker in plan.workers})
        self._started_at = time.time()
        self._interrupted = False
        self._exit_code: int | None = None
        self._view: TeamView | None = None
        self._viewed = -1
        self._board = Board(self._names)
        self._policies = Policies(plan, session.folder, mode=options.mode)
        self._judge = RuleJudge(
            self._policies,
            {worker.name: worker.cwd for worker in plan.workers},
            outside_classifier(self._policies.classifier, plan.file.absolute().parent, session.id),
        )
        self._approvals: Approvals | None = None
        self._logs = StderrLog(session.worker_folder)
        self._house = LeaderHouse(session.journal, self._board, self._policies.mode_for)
        self._supervisor = Supervisor(
            first_state(plan, self._started_at),
            options.launcher or SubprocessLauncher(),
            session.id,
            self._colors,
            self._house,
            self._house,
            self._logs.write,
        )

    def __repr__(self) -> str:
        return f"<Leader {self._session.id} {self._supervisor!r} {self._approvals!r}>"

    async def run(self) -> int:
        """Lead the team until all is over; give the exit code. No process outlives this call.

        Raises JournalError if the session's beginning cannot be written; then nothing was started.
        """
        journal = self._session.journal
        journal.append(self._started_entry())
        for notice in self._policies.notices:
            self._notice(notice)
        with self._logs, adopting_orphans():
            async with anyio.create_task_group() as tasks:
                self._approvals = Approvals(self._surroundings(tasks))
                self._house.open(self._approvals, self._supervisor)
                tasks.start_soon(self._watch_rules)
                tasks.start_soon(self._mend_journal)
                await self._supervisor.run()
                tasks.cancel_scope.cancel()
        self._note_ended_grants()
        self._exit_code = exit_code(
            self._supervisor.state,
            interrupted=self._interrupted,
            refused=bool(self._approvals and self._approvals.ended_run),
        )
        journal.append(SessionEnded(exit_code=self._exit_code))
        await journal.commit()
        self._board.touch()
        self._board.flush()
        return self._exit_code

    # What front ends see and do; see Client

    def team(self) -> TeamView:
        """Give the present picture."""
        if self._view is None or self._viewed != self._board.revision:
            self._viewed = self._board.revision
            self._view = paint_team(
                self._supervisor.state,
                self._board,
                self._approvals.queue if self._approvals else (),
                self._colors,
                TeamView(
                    session_id=self._session.id,
                    name=self._plan.name,
                    mode=str(self._policies.mode),
                    started_at=self._started_at,
                    workers=(),
                    missed=tuple(self._missed()),
                    ended=self._approvals.endings if self._approvals else {},
                    exit_code=self._exit_code,
                ),
            )
        return self._view

    def transcript(self, worker: str) -> Transcript:
        """Give the last entries of one worker."""
        self._check_name(worker)
        return self._board.transcript(worker)

    def subscribe(self, changed: Callable[[frozenset[str]], None]) -> AbstractContextManager[None]:
        """Call `changed` at most once per 16 ms."""
        return self._board.subscribe(changed)

    async def answer(self, answer: AnswerToRequest) -> None:
        """Decide about a request."""
        if self._approvals is None:
            raise UnknownRequest(answer.request_id)
        await self._approvals.answer(answer)

    async def preview(self, request_id: str, offer_text: str) -> OfferPreview:
        """Say what an offer would have let through."""
        assert self._approvals is not None, "the run has not begun"
        return await preview_offer(self._approvals, self._judge, request_id, offer_text)

    def grants(self) -> tuple[GrantView, ...]:
        """Give the granted rules that are in force."""
        return tuple(map(grant_view, self._policies.grants))

    async def revoke(self, number: int) -> GrantView:
        """Take a granted rule back."""
        assert self._approvals is not None, "the run has not begun"
        grant = self._policies.revoke(number)
        self._session.journal.append(revoked_entry(grant, "person"))
        await self._session.journal.commit()
        self._approvals.reconsider()
        return grant_view(grant)

    def held_rules(self) -> tuple[str, ...]:
        """Give what changed settings files would allow but is held back."""
        return self._policies.held

    async def accept_rules(self, held: tuple[str, ...]) -> None:
        """Put in force what is held back."""
        for notice in self._policies.accept(held):
            self._notice(notice)
        self._notice(f"A person put in force: {'; '.join(held)}.")
        await self._session.journal.commit()
        if self._approvals is not None:
            self._approvals.reconsider()

    async def stop(self, worker: str | None = None) -> None:
        """Stop one worker or the whole team in good order."""
        if worker is None:
            self._interrupted = not self._supervisor.state.over
        else:
            self._check_name(worker)
        self._supervisor.post(StopWanted(worker, "a person stopped it"))

    async def stop_now(self) -> None:
        """End every process of the team at once."""
        await self.stop()
        await self._supervisor.end_all()

    async def send(self, worker: str, text: str) -> None:
        """Send a message to one worker."""
        self._check_name(worker)
        link = self._supervisor.link(worker)
        if link is None:
            raise WorkerEnded(worker)
        link.send(ChatMessage(text=text))

    def _check_name(self, worker: str) -> None:
        if worker not in self._names:
            raise UnknownWorker(worker, self._names)

    def _missed(self) -> list[MissedCall]:
        if self._approvals is None:
            return []
        missed: list[MissedCall] = []
        for name, worker in self._supervisor.state.workers.items():
            missed += self._approvals.missed(name, worker.refused)
        return missed + [call for call in self._approvals.ended_run if call not in missed]

    def _surroundings(self, tasks: anyio.abc.TaskGroup) -> Surroundings:
        return Surroundings(
            journal=self._session.journal,
            judge=self._judge,
            classifier_of=self._judge.classifier if self._options.person else None,
            on_ask=self._options.on_ask,
            tasks=tasks,
            clock=time.time,
            changed=self._board.touch,
            notice=self._notice,
            stop=lambda why: self._supervisor.post(StopWanted(None, why)),
        )

    def _started_entry(self) -> SessionStarted:
        return SessionStarted(
            session_id=self._session.id,
            name=self._plan.name,
            plan_file=str(self._plan.file),
            pid=os.getpid(),
            program=self._session.program,
            mode=self._policies.mode,
        )

    def _notice(self, text: str) -> None:
        self._board.notice(text)
        self._house.write(Noticed(level="warning", text=text))

    async def _watch_rules(self) -> None:
        """Put changed settings files in force, note what grants have ended, decide again what waits."""
        while True:
            await anyio.sleep(RULES_CHECK)
            changed = bool(self._policies.changed_files())
            if changed:
                for notice in self._policies.reload():
                    self._notice(notice)
            if self._note_ended_grants() or changed:
                assert self._approvals is not None
                self._approvals.reconsider()

    async def _mend_journal(self) -> None:
        """Go on once there is room again: what could not be written waits, or was denied, until then."""
        journal = self._session.journal
        while True:
            await anyio.sleep(MEND_CHECK)
            if journal.problem:
                with contextlib.suppress(JournalError):
                    journal.retry()
                    self._board.notice("The journal can be written again.")

    def _note_ended_grants(self) -> bool:
        """Write which grants have ended by themselves since the last look; give whether any has."""
        ended = self._policies.take_ended_grants()
        for grant in ended:
            self._house.write(expired_entry(grant))
        return bool(ended)
