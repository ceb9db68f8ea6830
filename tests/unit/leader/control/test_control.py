"""How another shell reaches a running session, and what hostile neighbours can do to it."""

import json
import os
import socket
import stat
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import anyio
import pytest

from swarm.leader.control import server
from swarm.leader.control.messages import pack_transcript, unpack_transcript
from swarm.leader.control.peer import Peer, why_refused
from swarm.leader.control.remote import RemoteClient, connect
from swarm.leader.control.server import serve_control
from swarm.leader.core.fake_client import FakeClient
from swarm.leader.core.views import (
    AnswerToRequest,
    NoticeEntry,
    TextEntry,
    ToolEntry,
    Transcript,
    WorkerPhase,
)
from swarm.leader.errors import (
    AlreadyDecided,
    ControlFault,
    DigestMismatch,
    LeaderUnreachable,
    StateFolderError,
    UnknownRequest,
    UnknownWorker,
    WorkerEnded,
)
from swarm.permissions.model import Behavior, Layer, Offer

DEEP = b'{"type":"give_answer","answer":{"updated_input":{"a":' + b"[" * 9000 + b"\n"


@pytest.fixture
def path() -> Iterator[Path]:
    with TemporaryDirectory() as folder:
        yield Path(folder) / "control.sock"


@pytest.fixture
def client() -> FakeClient:
    made = FakeClient()
    made.add_worker("tests")
    made.add_worker("fixer", phase=WorkerPhase.SUCCEEDED)
    return made


@asynccontextmanager
async def session(client: FakeClient, path: Path) -> AsyncIterator[RemoteClient]:
    async with serve_control(client, path), connect("s1", path) as remote:
        with anyio.fail_after(20):
            yield remote


async def test_a_remote_sees_the_team_and_its_queue_as_they_are(client: FakeClient, path: Path) -> None:
    client.ask("tests", "Bash", {"command": "pytest -q\n\x1b[2J"}, agent=("reviewer",))
    async with session(client, path) as remote:
        assert await remote.team() == client.team()


async def test_a_remote_sees_a_transcript_with_all_kinds_of_entries() -> None:
    entries = (
        TextEntry("Hello", thinking=True),
        ToolEntry("c1", "Bash", "pytest", output="...", outcome="failed", agent=("x",)),
        NoticeEntry("warning", "crashed", 1.5),
    )
    transcript = Transcript(entries, first=7, revision=9)
    assert unpack_transcript(pack_transcript(1, transcript)) == transcript


async def test_a_remote_answers_stops_and_sends(client: FakeClient, path: Path) -> None:
    request = client.ask("tests", "Bash", {"command": "make"})
    answer = AnswerToRequest(request.id, request.digest, "deny", message="Not now.", layer=Layer.USER)
    async with session(client, path) as remote:
        await remote.answer(answer)
        await remote.send("tests", "hurry")
        await remote.stop("tests")
        await remote.stop()
        await remote.stop_now()
        assert (await remote.transcript("tests")).entries == client.transcript("tests").entries
    assert client.answers == [answer]
    assert client.sent == [("tests", "hurry")]
    assert client.stops == ["tests", None]
    assert client.stopped_now == 1


async def test_a_remote_pauses_and_unpauses(client: FakeClient, path: Path) -> None:
    async with session(client, path) as remote:
        await remote.pause("tests")
        assert (await remote.team()).workers[0].paused
        await remote.unpause()
        with pytest.raises(UnknownWorker):
            await remote.pause("test")
    assert client.pauses[:2] == [("tests", True), (None, False)]


async def test_the_rules_chosen_for_always_arrive_as_they_were_offered(
    client: FakeClient, path: Path
) -> None:
    offer = Offer(Behavior.ALLOW, "Bash(make:*)")
    request = client.ask("tests", "Bash", {"command": "make"}, offers=(offer,))
    async with session(client, path) as remote:
        (seen,) = (await remote.team()).queue
        await remote.answer(AnswerToRequest(seen.id, seen.digest, "allow_always", offers=seen.offers))
    assert client.answers[0].offers == (offer,)
    assert client.answers[0].digest == request.digest


async def test_errors_of_the_leader_are_raised_again_as_they_were(client: FakeClient, path: Path) -> None:
    request = client.ask("tests", "Bash", {"command": "make"})
    client.resolve(request.id, "withdrawn")
    waiting = client.ask("tests", "Bash", {"command": "make"})
    async with session(client, path) as remote:
        with pytest.raises(UnknownWorker, match=r"'test'. Did you mean tests\? Workers: tests, fixer"):
            await remote.transcript("test")
        with pytest.raises(WorkerEnded, match="fixer has ended"):
            await remote.send("fixer", "x")
        with pytest.raises(AlreadyDecided, match="already withdrawn"):
            await remote.answer(AnswerToRequest(request.id, "", "deny"))
        with pytest.raises(DigestMismatch):
            await remote.answer(AnswerToRequest(waiting.id, "other", "allow_once"))
        with pytest.raises(UnknownRequest) as caught:
            await remote.answer(AnswerToRequest("r99", "", "deny"))
    assert caught.value.exit_code == 2
    assert caught.value.request_id == "r99"


async def test_a_fault_inside_the_leader_is_told_and_ends_nothing(client: FakeClient, path: Path) -> None:
    class Faulty(FakeClient):
        async def stop_now(self) -> None:
            raise RuntimeError("oh")

    faulty = Faulty()
    async with session(faulty, path) as remote:
        with pytest.raises(ControlFault, match="RuntimeError: oh"):
            await remote.stop_now()
        assert (await remote.team()).name == "team"


async def test_watching_gives_each_new_picture_and_ends_with_the_leader(
    client: FakeClient, path: Path
) -> None:
    seen: list[int] = []
    saw = {0: anyio.Event(), 1: anyio.Event()}
    served = anyio.Event()

    async def lead() -> None:
        async with serve_control(client, path):
            served.set()
            await saw[0].wait()
            client.ask("tests", "Bash", {"command": "make"})
            await saw[1].wait()

    async with anyio.create_task_group() as group:
        group.start_soon(lead)
        await served.wait()
        with anyio.fail_after(20):
            async with connect("s1", path) as remote:
                async for team in remote.watch():
                    seen += [len(team.queue)]
                    saw[len(team.queue)].set()
    assert seen == [0, 1]


async def test_the_socket_is_private_and_gone_afterwards(client: FakeClient, path: Path) -> None:
    async with serve_control(client, path):
        assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    with pytest.raises(LeaderUnreachable, match="swarm show s1"):
        async with connect("s1", path):
            pass


async def test_a_socket_that_cannot_be_made_is_a_clear_error(client: FakeClient, path: Path) -> None:
    with pytest.raises(StateFolderError):
        async with serve_control(client, path.parent / "no" / "control.sock"):
            pass


@pytest.mark.parametrize(
    "garbage",
    [
        b"\xff\xfe\n",
        b"{}\n",
        b'{"type":"rm"}\n',
        DEEP,
        b'{"type":"ask_team","v":2}\n',
        b"\n",
    ],
    ids=lambda line: repr(line[:30]),
)
async def test_garbage_is_answered_with_an_error_and_harms_nobody_else(
    client: FakeClient, path: Path, garbage: bytes
) -> None:
    async with session(client, path) as remote, await anyio.connect_unix(path) as stream:
        await stream.send(garbage[:300])
        await stream.send(garbage[300:] or b"")
        reply = json.loads(await stream.receive())
        assert reply["type"] == "failed"
        with pytest.raises(anyio.EndOfStream):
            await stream.receive()
        assert await remote.team() == client.team()


async def test_a_line_longer_than_the_cap_is_refused(
    client: FakeClient, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "ASK_CAP", 1000)
    async with session(client, path), await anyio.connect_unix(path) as stream:
        await stream.send(b"x" * 2000)
        assert b"more than 1000 bytes" in await stream.receive()


async def test_one_who_does_not_read_is_closed_and_holds_up_nobody(
    client: FakeClient, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "SEND_LIMIT", 0.2)
    client.ask("tests", "Bash", {"command": "x" * 1_000_000})
    async with serve_control(client, path) as control:
        slow = await anyio.connect_unix(path)
        await slow.send(b'{"type":"ask_team"}\n' * 20)
        async with connect("s1", path) as remote:
            with anyio.fail_after(20):
                assert await remote.team() == client.team()
                while "connected=1 " not in repr(control):
                    await remote.team()
        await slow.aclose()


async def test_those_beyond_the_cap_are_told_so(
    client: FakeClient, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "CLIENTS_CAP", 1)
    async with session(client, path) as remote:
        assert await remote.team() == client.team()
        async with connect("s1", path) as second:
            with pytest.raises(ControlFault, match="others are connected"):
                await second.team()
        assert await remote.team() == client.team()


CHILD = """
import socket, sys
s = socket.socket(socket.AF_UNIX)
s.connect(sys.argv[1])
try:
    s.sendall(b'{"type":"stop_now"}\\n')
except BrokenPipeError:
    pass
sys.stdout.buffer.write(s.recv(10000))
"""


@pytest.mark.skipif(not hasattr(socket, "SO_PEERCRED"), reason="the system does not tell who connects")
async def test_a_process_of_the_team_cannot_decide_about_itself(client: FakeClient, path: Path) -> None:
    async with serve_control(client, path):
        child = await anyio.run_process([sys.executable, "-c", CHILD, str(path)], check=False)
    assert b"a worker may not decide about itself" in child.stdout
    assert client.stopped_now == 0


def test_other_users_and_processes_that_are_gone_are_refused() -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        ended.wait()
    assert why_refused(Peer(os.getpid(), os.geteuid() + 1)) == "it belongs to another user"
    assert why_refused(Peer(ended.pid, os.geteuid())) == "its process is gone"
    assert why_refused(Peer(os.getpid(), os.geteuid())) == ""
    assert why_refused(Peer(os.getpid(), os.geteuid()), leader=os.getppid()) != ""
