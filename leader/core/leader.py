"""The leader of one session: puts supervision, approvals and the board together behind Client."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import anyio

from swarm.ipc.messages import ChatMessage
from swarm.leader.core.approvals import Approvals
from swarm.leader.core.asking import Surroundings
from swarm.leader.core.board import Board
from swarm.leader.core.client import BY_A_PERSON
from swarm.leader.core.entries import revoked_entry
from swarm.leader.core.grants import grant_view, preview_offer
from swarm.leader.core.house import Holding, LeaderHouse
from swarm.leader.core.judge import RuleJudge
from swarm.leader.core.launcher import SubprocessLauncher
from swarm.leader.core.left import Left
from swarm.leader.core.mail import LeaderMail
from swarm.leader.core.outside_classifier import outside_classifier
from swarm.leader.core.picture import paint_team
from swarm.leader.core.processes import adopting_orphans
from swarm.leader.core.run_options import RunOptions as RunOptions
from swarm.leader.core.stderr_log import StderrLog
from swarm.leader.core.step import exit_code
from swarm.leader.core.supervisor import Supervisor
from swarm.leader.core.takeover import find_team, take_over
from swarm.leader.core.team import PauseWanted, StopWanted
from swarm.leader.core.upkeep import Upkeep
from swarm.leader.core.views import (
    AnswerToRequest,
    GrantView,
    MissedCall,
    OfferPreview,
    TeamView,
    Transcript,
)
from swarm.leader.errors import UnknownRequest, UnknownWorker, WorkerEnded
from swarm.leader.palette import assign_colors
from swarm.leader.plan.resolved import TeamPlan
from swarm.leader.policies import Policies
from swarm.leader.session.entries import Noticed, SessionEnded, SessionResumed, SessionStarted
from swarm.leader.session.folder import Session


class Leader:
    """Leads one team. Satisfies Client; `run` does the leading.

    `left` is what another leader of the same session left; then it goes on with that.
    """

    def __init__(
        self, plan: TeamPlan, session: Session, options: RunOptions, left: Left | None = None
    ) -> None:
        self._plan = plan
        self._left = left
        self._session = session
        self._options = options
        self._names = tuple(worker.name for worker in plan.workers)
        self._colors = assign_colors({worker.name: worker.color for worker in plan.workers})
        self._started_at = left.started_at if left else time.time()
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
        self._house = LeaderHouse(session.journal, session.folder, self._board, self._policies.mode_for)
        self._upkeep = Upkeep(
            self._policies, session.journal, self._notice, self._board.notice, self._house.write
        )
        self._team = find_team(plan, left, session.id)
        self._supervisor = Supervisor(
            self._team.state,
            options.launcher or SubprocessLauncher(),
            session.id,
            self._colors,
            self._house,
            self._house,
            self._logs.write,
            self._team.found,
        )
        self._mail = LeaderMail(session.folder, self._supervisor.attempts.get, self._notice)

    def __repr__(self) -> str:
        return f"<Leader {self._session.id} {self._supervisor!r} {self._approvals!r}>"

    async def run(self) -> int:
        """Lead the team until all is over; give the exit code. No process outlives this call.

        Raises JournalError if the session's beginning cannot be written; then nothing was started.
        """
        journal = self._session.journal
        journal.append(self._resumed_entry() if self._left else self._started_entry())
        for notice in self._policies.notices:
            self._notice(notice)
        with self._logs, adopting_orphans(), self._reading_mail():
            async with anyio.create_task_group() as tasks:
                self._approvals = Approvals(self._surroundings(tasks))
                self._house.open(self._approvals, self._supervisor, self._mail.prepare)
                tasks.start_soon(self._upkeep.watch_rules, self._approvals)
                tasks.start_soon(self._upkeep.mend_journal)
                if self._left is not None:
                    self._policies.restore(self._left.grants, self._left.grant_count)
                    await take_over(
                        self._left, self._team, self._approvals, self._house, self._supervisor, self._colors
                    )
                await self._supervisor.run()
                tasks.cancel_scope.cancel()
        self._upkeep.note_ended_grants()
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

    @contextmanager
    def _reading_mail(self) -> Iterator[None]:
        """Let workers come back by mail meanwhile."""
        folder = str(self._session.folder) if self._mail.open() else ""
        self._house.holding = Holding(folder, self._options.hold)
        try:
            yield
        finally:
            self._mail.close()

    @property
    def asks_a_person(self) -> bool:
        """Whether calls that no rule decides wait for a person."""
        return self._options.on_ask == "wait"

    @property
    def taken_over(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The workers that were found alive, and those that have to start again."""
        return self._team.adopted, self._team.restarted

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

    async def stop(self, worker: str | None = None, why: str = BY_A_PERSON) -> None:
        """Stop one worker or the whole team in good order."""
        self._check_name(worker)
        if worker is None:
            self._interrupted = not self._supervisor.state.over
        self._supervisor.post(StopWanted(worker, why))

    async def stop_now(self) -> None:
        """End every process of the team at once."""
        await self.stop()
        await self._supervisor.end_all()

    async def pause(self, worker: str | None = None) -> None:
        """Let one worker or the whole team stand still."""
        self._check_name(worker)
        self._supervisor.post(PauseWanted(worker, True))

    async def unpause(self, worker: str | None = None) -> None:
        """Let one worker or the whole team go on."""
        self._check_name(worker)
        self._supervisor.post(PauseWanted(worker, False))

    async def send(self, worker: str, text: str) -> None:
        """Send a message to one worker."""
        self._check_name(worker)
        link = self._supervisor.link(worker)
        if link is None:
            raise WorkerEnded(worker)
        link.send(ChatMessage(text=text))

    def _check_name(self, worker: str | None) -> None:
        if worker is not None and worker not in self._names:
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
            on_ask=self._options.on_ask,
            person=self._options.person,
            mode_given=self._options.mode is not None,
        )

    def _resumed_entry(self) -> SessionResumed:
        return SessionResumed(
            pid=os.getpid(),
            program=self._session.program,
            adopted=self._team.adopted,
            restarted=self._team.restarted,
        )

    def _notice(self, text: str) -> None:
        self._board.notice(text)
        self._house.write(Noticed(level="warning", text=text))
