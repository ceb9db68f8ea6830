"""A worker that lost its leader comes back by mail to the attempt that it is, and nobody else does."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from support.housing import NotingHouse
from support.receiving import Notes
from support.waiting import until
from swarm.ipc.codec import Role, encode
from swarm.ipc.mailbox.box import Mailbox
from swarm.ipc.mailbox.key import read_key
from swarm.ipc.mailbox.room import Mailroom
from swarm.ipc.messages import Event as WireEvent
from swarm.ipc.messages import Hello, Text
from swarm.ipc.stream_channel import StreamChannel
from swarm.leader.core.attempt import Attempt
from swarm.leader.core.mail import LeaderMail, greeting
from swarm.leader.plan.resolved import WorkerPlan


class Living:
    """A process that is there."""

    stdin = stdout = stderr = -1
    pid = 1

    async def exited(self) -> int:
        return 0

    def reap(self) -> None:
        """Hold on to nothing."""


def hello(worker: str = "tests", attempt: int = 1) -> Hello:
    return Hello(protocols=(1,), pid=1, program="swarm", python="3", worker=worker, attempt=attempt)


@dataclass
class Scene:
    """The leader's mail, with the attempts that it knows."""

    folder: Path
    house: NotingHouse = field(default_factory=NotingHouse)
    attempts: dict[str, Attempt] = field(default_factory=dict)
    notices: list[str] = field(default_factory=list)

    def add(self, name: str, number: int = 1) -> Attempt:
        plan = WorkerPlan(name, "script", self.folder)
        attempt = self.attempts[name] = Attempt(plan, number, "#ffffff", f"s/{name}/{number}", self.house)
        attempt.adopt(Living())
        return attempt

    @asynccontextmanager
    async def worker(self, name: str) -> AsyncIterator[tuple[StreamChannel, Notes]]:
        """Give a worker's end that comes by mail."""
        room = Mailroom(Mailbox(self.folder / "mail", f"worker-{name}", read_key(self.folder / "mail.key")))
        room.open(asyncio.get_running_loop())
        channel, notes = StreamChannel(Role.WORKER, room.stream("leader")), Notes()
        channel.open(notes)
        yield channel, notes
        await channel.aclose()
        room.close()


@asynccontextmanager
async def reading(folder: Path) -> AsyncIterator[tuple[LeaderMail, Scene]]:
    scene = Scene(folder)
    mail = LeaderMail(folder, scene.attempts.get, scene.notices.append)
    assert mail.open()
    mail.prepare("tests")
    yield mail, scene
    mail.close()


async def test_a_greeting_binds_the_attempt_that_it_is_from(tmp_path: Path) -> None:
    async with reading(tmp_path) as (_, scene):
        scene.add("tests")
        async with scene.worker("tests") as (channel, notes):
            channel.send(hello())
            await notes.until(lambda seen: seen.messages)
            channel.send(WireEvent(event=Text(text="here again")))
            await until(lambda: scene.house.parts == [Text(text="here again")])


async def test_a_greeting_waits_for_the_attempt_to_be_adopted(tmp_path: Path) -> None:
    async with reading(tmp_path) as (_, scene), scene.worker("tests") as (channel, notes):
        channel.send(hello())
        await until(lambda: list((tmp_path / "mail/leader/new").iterdir()))
        scene.add("tests")
        await notes.until(lambda seen: seen.messages)


async def test_one_that_greets_twice_before_it_is_heard_is_let_in_once(tmp_path: Path) -> None:
    async with reading(tmp_path) as (_, scene), scene.worker("tests") as (channel, notes):
        channel.send(hello())
        channel.greet_again()
        await until(lambda: len(list((tmp_path / "mail/leader/new").iterdir())) == 2)
        scene.add("tests")
        await notes.until(lambda seen: seen.messages)
        channel.send(WireEvent(event=Text(text="here again")))
        await until(lambda: scene.house.parts == [Text(text="here again")])
        assert scene.notices == []


async def test_another_attempt_and_another_worker_are_not_let_in(tmp_path: Path) -> None:
    async with reading(tmp_path) as (_, scene):
        scene.add("tests", number=2)
        scene.add("other")
        async with scene.worker("tests") as (channel, notes):
            channel.send(hello(attempt=1))
            await until(lambda: scene.notices)
            assert notes.messages == []
        assert "came too late" in scene.notices[0]


def test_only_a_worker_that_was_started_before_greets_by_mail() -> None:
    assert greeting(b"") is None
    assert greeting(b"\xff[" * 1000) is None
    assert greeting(b'{"type":"heartbeat","v":1,"id":"x","seq":1,"ack":0}\n') is None
    assert greeting(encode(hello(worker=""))) is None
    assert greeting(encode(hello(attempt=2)) + b"more") == hello(attempt=2)


async def test_a_worker_starts_with_an_empty_mailbox(tmp_path: Path) -> None:
    async with reading(tmp_path) as (mail, _):
        key = read_key(tmp_path / "mail.key")
        Mailbox(tmp_path / "mail", "leader", key).send("worker-tests", b"old\n")
        mail.prepare("tests")
        assert list(Mailbox(tmp_path / "mail", "worker-tests", key).waiting()) == []


async def test_without_a_mailbox_the_run_goes_on_and_it_is_said(tmp_path: Path) -> None:
    (tmp_path / "mail").write_text("no folder")
    notices: list[str] = []
    mail = LeaderMail(tmp_path, lambda name: None, notices.append)
    assert not mail.open()
    mail.prepare("tests")
    mail.close()
    assert "cannot come back" in notices[0]
