"""A judge and an asker for tests: they satisfy the Protocols and keep what they are told."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import anyio

from support.waiting import until
from swarm.ipc.messages import PermissionRequest, PermissionResponse, Preview
from swarm.leader.core.approvals import Approvals
from swarm.leader.core.asking import OnAsk, Surroundings
from swarm.leader.core.views import AnswerToRequest, RequestView
from swarm.leader.session.entries import AnyEntry
from swarm.leader.session.journal import Disk, Journal
from swarm.leader.session.reading import read_journal
from swarm.permissions.grants import UNLIMITED, Grant, GrantLimits
from swarm.permissions.model import Behavior, Layer, Offer, Request, RuleText, Source, Verdict
from swarm.permissions.speculation import Classifier


@dataclass
class FakeJudge:
    """Allows commands that begin with `ok`, denies those with `bad`, asks about all others."""

    granted: list[RuleText] = field(default_factory=list)
    revoked: list[str] = field(default_factory=list)
    limits: dict[str, GrantLimits] = field(default_factory=dict)
    failure: Exception | None = None

    def verdict(self, worker: str, request: Request) -> Verdict:
        command = str(request.input.get("command", request.input.get("file_path", "")))
        for rule in self.granted:
            if command == rule.text:
                return Verdict(Behavior.ALLOW, "It was granted.", rule)
        if command.startswith("ok"):
            return Verdict(Behavior.ALLOW, "A rule allows it.")
        if command.startswith("bad"):
            return Verdict(Behavior.DENY, "A rule denies it.")
        return Verdict(Behavior.ASK, "No rule covers it.")

    def offers(self, worker: str, request: Request) -> tuple[Offer, ...]:
        return (Offer(Behavior.ALLOW, str(request.input.get("command", "Edit(x)"))),)

    def version(self, worker: str) -> str:
        return "v1"

    def grant(self, offer: Offer, layer: Layer, worker: str, limits: GrantLimits = UNLIMITED) -> Grant:
        if self.failure is not None:
            raise self.failure
        rule = RuleText(offer.behavior, offer.text, Source(layer))
        self.granted.append(rule)
        self.limits[offer.text] = limits
        return Grant(rule, "", "person", 5.0, uses=limits.uses, number=len(self.granted))

    def revoke(self, number: int) -> None:
        self.revoked.append(self.granted.pop(number - 1).text)

    def spend(self, worker: str, request: Request) -> None:
        command = str(request.input.get("command", ""))
        if self.limits.get(command, UNLIMITED).uses is not None:
            uses = (self.limits[command].uses or 0) - 1
            self.limits[command] = GrantLimits(uses=uses)
            self.granted = [rule for rule in self.granted if uses > 0 or rule.text != command]


@dataclass
class FakeAsker:
    """A worker that keeps the answers it gets."""

    name: str = "tests"
    color: str = "#ffffff"
    responses: list[PermissionResponse] = field(default_factory=list)

    def respond(self, response: PermissionResponse) -> None:
        self.responses.append(response)


def request(
    command: str, wire_id: str = "w1", call_id: str = "c1", interrupted: bool = False
) -> PermissionRequest:
    return PermissionRequest(
        id=wire_id,
        call_id=call_id,
        tool="Bash",
        input={"command": command},
        cwd="/w",
        preview=Preview(title=command),
        interrupted=interrupted,
    )


def allowing(view: RequestView) -> AnswerToRequest:
    return AnswerToRequest(view.id, view.digest, "allow_once")


@dataclass
class House:
    """Approvals with all that is around them."""

    approvals: Approvals
    judge: FakeJudge
    journal: Journal
    notices: list[str]
    stops: list[str]

    def written(self) -> list[AnyEntry]:
        return [record.entry for record in read_journal(self.journal.path)]

    async def shown(self, count: int = 1) -> tuple[RequestView, ...]:
        await until(lambda: len(self.approvals.queue) == count)
        return self.approvals.queue


@asynccontextmanager
async def house(
    folder: Path,
    *,
    on_ask: OnAsk = "wait",
    classifier: Classifier | None = None,
    disk: Disk | None = None,
) -> AsyncIterator[House]:
    journal = Journal(folder / "journal.jsonl", disk=disk)
    judge, notices, stops = FakeJudge(), list[str](), list[str]()
    async with anyio.create_task_group() as tasks:
        around = Surroundings(
            journal=journal,
            judge=judge,
            classifier_of=None if classifier is None else lambda worker: classifier,
            on_ask=on_ask,
            tasks=tasks,
            clock=lambda: 5.0,
            changed=lambda: None,
            notice=notices.append,
            stop=stops.append,
        )
        yield House(Approvals(around), judge, journal, notices, stops)
        tasks.cancel_scope.cancel()
    if not journal.problem:
        journal.close()
