"""A real leader with real workers, for tests: everything but the front end."""

from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio

from support.waiting import until
from swarm.leader.core.leader import Leader, RunOptions
from swarm.leader.core.views import (
    AnswerToRequest,
    NoticeEntry,
    RequestView,
    ToolEntry,
    Verb,
    WorkerPhase,
    WorkerView,
)
from swarm.leader.plan.resolved import TeamPlan, WorkerPlan
from swarm.leader.session.entries import AnyEntry
from swarm.leader.session.folder import Session, create_session
from swarm.leader.session.reading import read_journal
from swarm.permissions.model import Behavior, Layer, RuleText, Source


def script(name: str, cwd: Path, *steps: Mapping[str, Any], **fields: Any) -> WorkerPlan:
    """Give a script worker."""
    return WorkerPlan(name, "script", cwd, agent={"steps": [dict(step) for step in steps]}, **fields)


def rules(behavior: Behavior, texts: Iterable[str], base: Path) -> tuple[RuleText, ...]:
    """Give rules as a plan in the folder `base` would hold them."""
    return tuple(
        RuleText(behavior, text, Source(Layer.PLAN, "plan.yaml", base=str(base))) for text in texts
    )


@dataclass
class Led:
    """A run that is under way. `code` is its exit code once it is over."""

    leader: Leader
    session: Session
    over: anyio.Event = field(default_factory=anyio.Event)
    code: int | None = None

    async def lead(self) -> None:
        self.code = await self.leader.run()
        self.over.set()

    def worker(self, name: str) -> WorkerView:
        return next(worker for worker in self.leader.team().workers if worker.name == name)

    def phase(self, name: str) -> WorkerPhase:
        return self.worker(name).phase

    def calls(self, worker: str) -> list[ToolEntry]:
        entries = self.leader.transcript(worker).entries
        return [entry for entry in entries if isinstance(entry, ToolEntry)]

    def told(self) -> str:
        """Give all that is known, for the message of a failed assertion."""
        return "\n".join(
            f"{worker}: {self.leader.transcript(worker.name).entries}"
            for worker in self.leader.team().workers
        )

    def notices(self, worker: str) -> str:
        entries = self.leader.transcript(worker).entries
        return "\n".join(entry.text for entry in entries if isinstance(entry, NoticeEntry))

    def written(self) -> list[AnyEntry]:
        return [record.entry for record in read_journal(self.session.journal.path)]

    async def asked(self, count: int = 1) -> tuple[RequestView, ...]:
        await until(lambda: len(self.leader.team().queue) >= count)
        return self.leader.team().queue

    async def answer(self, view: RequestView, verb: Verb = "allow_once", message: str = "") -> None:
        await self.leader.answer(AnswerToRequest(view.id, view.digest, verb, message, view.offers))

    async def end(self) -> int:
        with anyio.fail_after(30):
            await self.over.wait()
        assert self.code is not None
        return self.code


@asynccontextmanager
async def leading(
    folder: Path,
    *workers: WorkerPlan,
    allow: Iterable[str] = (),
    deny: Iterable[str] = (),
    options: RunOptions | None = None,
    classifier: tuple[str, ...] = (),
) -> AsyncIterator[Led]:
    """Lead `workers` in the background; sessions are kept below `folder`."""
    both = (*rules(Behavior.ALLOW, allow, folder), *rules(Behavior.DENY, deny, folder))
    plan = TeamPlan("test", folder / "plan.yaml", workers, rules=both, classifier=classifier)
    environment = {"XDG_STATE_HOME": str(folder / "state"), "HOME": str(folder)}
    with create_session(plan, "swarm test", environment=environment) as session:
        led = Led(Leader(plan, session, options or RunOptions(person=False)), session)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(led.lead)
            yield led
            tasks.cancel_scope.cancel()
