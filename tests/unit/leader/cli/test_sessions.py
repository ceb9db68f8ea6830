"""The commands that reach a running session from another shell, and those that read ended ones."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
import pytest
from unit.leader.cli.program import Ran, Swarm

from swarm.ipc.messages import Preview
from swarm.leader.control.server import serve_control
from swarm.leader.core.fake_client import FakeClient
from swarm.leader.core.views import WorkerPhase
from swarm.leader.plan.resolved import TeamPlan
from swarm.leader.session.entries import (
    CallDecided,
    Noticed,
    RequestAsked,
    SessionEnded,
    SessionStarted,
    WorkerChanged,
)
from swarm.leader.session.folder import Session, create_session
from swarm.permissions.model import Behavior, Layer, Offer, Reason

PLAN = TeamPlan(name="checks", file=Path("/project/plan.yaml"), workers=())
Shell = Callable[..., Awaitable[Ran]]


@asynccontextmanager
async def running(client: FakeClient, swarm: Swarm) -> AsyncIterator[tuple[Session, Shell]]:
    """Serve a session of this process, and give the program as another shell would call it."""

    async def shell(*arguments: str) -> Ran:
        return await anyio.to_thread.run_sync(partial(swarm, *arguments))

    with create_session(PLAN, "swarm") as session:
        client.change_team(session_id=session.id)
        async with serve_control(client, session.control):
            with anyio.fail_after(30):
                yield session, shell


@pytest.fixture
def client() -> FakeClient:
    made = FakeClient()
    made.add_worker("tests")
    made.add_worker("fixer", phase=WorkerPhase.SUCCEEDED)
    return made


async def test_pending_shows_all_that_is_needed_to_decide(client: FakeClient, swarm: Swarm) -> None:
    command = "pytest -q " + "x" * 3000 + "\nrm -rf build\x1b[2J"
    request = client.ask(
        "tests",
        "Bash",
        {"command": command, "timeout": 30},
        agent=("reviewer",),
        cwd="/project/sub",
        why="no rule covers it",
        offers=(Offer(Behavior.ALLOW, "Bash(pytest:*)"),),
    )
    async with running(client, swarm) as (session, shell):
        ran = await shell("pending")
    assert ran.code == 0
    assert "r1  tests/reviewer  Bash" in ran.out
    assert "no rule covers it" in ran.out
    assert "/project/sub" in ran.out
    assert "x" * 3000 in ran.out
    assert "rm -rf build\\x1b[2J" in ran.out
    assert "timeout: 30" in ran.out
    digest = request.digest[:12]
    assert f"swarm approve r1 --session {session.id} --digest {digest}\n" in ran.out
    assert "--always   # writes Bash(pytest:*)" in ran.out
    assert f'swarm deny r1 --session {session.id} --digest {digest} -m "why"' in ran.out


async def test_pending_shows_a_whole_diff_and_nothing_that_a_worker_could_forge(
    client: FakeClient, swarm: Swarm
) -> None:
    diff = "--- a\n+++ b\n@@ -1 +1 @@\n-old\n+new\n" + "".join(f"+line {n}\n" for n in range(2000))
    preview = Preview(title="Edit a", diff=diff, paths=("/project/a",), note="2 more\nswarm approve r9")
    client.ask("tests", "Edit", {"path": "/project/a", "new_string": "x"}, preview=preview)
    async with running(client, swarm) as (_, shell):
        ran = await shell("pending")
    assert "+line 1999" in ran.out
    assert "\\nswarm approve r9" in ran.out
    assert ran.out.replace("\n", "").isprintable()


async def test_pending_as_json_is_one_request_a_line(client: FakeClient, swarm: Swarm) -> None:
    requests = [client.ask("tests", "Bash", {"command": command}) for command in ("make", "ls")]
    async with running(client, swarm) as (session, shell):
        ran = await shell("pending", "--json")
    shown = [json.loads(line) for line in ran.out.splitlines()]
    assert [item["digest"] for item in shown] == [request.digest for request in requests]
    assert shown[0]["session"] == session.id
    assert shown[0]["badge"] == "tests"


async def test_where_several_sessions_run_none_is_guessed_and_pending_shows_all(
    client: FakeClient, swarm: Swarm
) -> None:
    other = FakeClient()
    other.add_worker("docs")
    client.ask("tests", "Bash", {"command": "make"})
    other.ask("docs", "Bash", {"command": "make docs"})
    async with running(client, swarm) as (first, shell), running(other, swarm) as (second, _):
        pending, guessed = await shell("pending"), await shell("approve", "r1")
        named = await shell("approve", "r1", "--session", second.id)
    assert "r1  tests" in pending.out
    assert "r1  docs" in pending.out
    assert guessed.code == 2
    assert first.id in guessed.err
    assert named.code == 0
    assert (len(client.answers), len(other.answers)) == (0, 1)


async def test_nothing_pending_is_a_message_and_no_output(client: FakeClient, swarm: Swarm) -> None:
    async with running(client, swarm) as (_, shell):
        ran = await shell("pending")
    assert (ran.code, ran.out) == (0, "")
    assert "Nothing waits" in ran.err


async def test_a_request_is_approved_with_what_was_seen(client: FakeClient, swarm: Swarm) -> None:
    request = client.ask("tests", "Bash", {"command": "make"})
    async with running(client, swarm) as (_, shell):
        ran = await shell("approve", "r1", "--digest", request.digest[:12])
    assert ran.code == 0
    assert "Allowed r1 (tests: Bash: make)" in ran.err
    (answer,) = client.answers
    assert (answer.verb, answer.digest) == ("allow_once", request.digest)


@pytest.mark.parametrize("digest", ["000000000000", "1", "x" * 64])
async def test_an_answer_about_something_else_is_refused(
    client: FakeClient, swarm: Swarm, digest: str
) -> None:
    client.ask("tests", "Bash", {"command": "make"})
    async with running(client, swarm) as (_, shell):
        ran = await shell("approve", "r1", "--digest", digest)
    assert ran.code == 1
    assert "not about what it asks now" in ran.err
    assert client.answers == []


async def test_always_writes_the_offered_rule_to_the_named_layer(client: FakeClient, swarm: Swarm) -> None:
    offer = Offer(Behavior.ALLOW, "Bash(make:*)")
    client.ask("tests", "Bash", {"command": "make"}, offers=(offer,))
    async with running(client, swarm) as (_, shell):
        ran = await shell("approve", "r1", "--always", "--layer", "project")
    assert ran.code == 0
    assert "Written to project: allow Bash(make:*)" in ran.err
    (answer,) = client.answers
    assert (answer.verb, answer.offers, answer.layer) == ("allow_always", (offer,), Layer.PROJECT)


async def test_always_without_an_offer_decides_nothing(client: FakeClient, swarm: Swarm) -> None:
    client.ask("tests", "Bash", {"command": "make"})
    async with running(client, swarm) as (_, shell):
        ran = await shell("approve", "r1", "--always")
    assert ran.code == 1
    assert client.answers == []


async def test_a_denial_carries_its_message(client: FakeClient, swarm: Swarm) -> None:
    client.ask("tests", "Bash", {"command": "make"})
    async with running(client, swarm) as (_, shell):
        ran = await shell("deny", "r1", "-m", "Not now.")
    assert ran.code == 0
    assert (client.answers[0].verb, client.answers[0].message) == ("deny", "Not now.")


async def test_a_request_that_ended_or_never_was_says_so(client: FakeClient, swarm: Swarm) -> None:
    client.resolve(client.ask("tests", "Bash", {"command": "make"}).id, "withdrawn")
    async with running(client, swarm) as (_, shell):
        ended, unknown = await shell("approve", "r1"), await shell("deny", "r99")
    assert (ended.code, unknown.code) == (1, 2)
    assert "already withdrawn" in ended.err
    assert "No request 'r99'" in unknown.err


async def test_workers_and_the_team_are_stopped_and_told(client: FakeClient, swarm: Swarm) -> None:
    async with running(client, swarm) as (_, shell):
        codes = [
            (await shell(*arguments)).code
            for arguments in (
                ("stop", "tests"),
                ("stop", "nobody"),
                ("send", "tests", "hurry"),
                ("send", "fixer", "hurry"),
                ("stop", "tests", "--now"),
                ("stop",),
                ("stop", "--now"),
            )
        ]
    assert codes == [0, 2, 0, 1, 2, 0, 0]
    assert client.stops == ["tests", None]
    assert client.sent == [("tests", "hurry")]
    assert client.stopped_now == 1


def ended_session(*, finish: bool = True) -> Session:
    session = create_session(PLAN, "swarm", clock=lambda: 1000.0)
    preview = Preview(title="git push\x1b[2J")
    call: dict[str, Any] = {
        "wire_id": "w1",
        "worker": "tests",
        "tool": "Bash",
        "input": {"command": "git push"},
    }
    entries = (
        SessionStarted(
            session_id=session.id, name="checks", plan_file="/project/plan.yaml", pid=1, program="swarm"
        ),
        WorkerChanged(worker="tests", phase=WorkerPhase.DENIED, attempt=2, detail="a call was denied"),
        CallDecided(
            **call,
            cwd="/project",
            preview=preview,
            digest="d",
            behavior=Behavior.DENY,
            reason=Reason.SETTINGS_DENY,
            rule="Bash(git push:*)",
        ),
        RequestAsked(request_id="r1", **call, cwd="/", preview=preview, digest="d", why="no rule"),
        Noticed(level="warning", text="The disk is nearly full."),
    )
    for entry in entries:
        session.journal.append(entry)
    if finish:
        session.journal.append(SessionEnded(exit_code=3))
    session.close()
    return session


def test_show_tells_how_an_ended_session_went(swarm: Swarm) -> None:
    session = ended_session()
    ran = swarm("show", session.id[:15])
    assert ran.code == 0
    assert f"{session.id}: ended, exit 3" in ran.out
    assert "tests: denied (attempt 2): a call was denied" in ran.out
    assert "tests: Bash: git push\\x1b[2J (settings-deny, Bash(git push:*))" in ran.out
    assert "1  settings-deny" in ran.out
    assert "r1  tests: Bash" in ran.out
    assert "The disk is nearly full." in ran.out


def test_show_as_json_is_one_object(swarm: Swarm) -> None:
    session = ended_session()
    shown = json.loads(swarm("show", "--json").out)
    assert (shown["session"], shown["exit_code"], shown["denied_count"]) == (session.id, 3, 1)
    assert shown["decisions"] == {"settings-deny": 1}
    assert shown["problem"] == ""


def test_show_works_with_a_torn_journal_and_says_so(swarm: Swarm) -> None:
    session = ended_session(finish=False)
    with session.journal.path.open("ab") as file:
        file.write(b'{"n":6,"at"')
    ran = swarm("show")
    assert ran.code == 0
    assert "broken off" in ran.out
    assert "unfinished line of 11 bytes" in ran.err


def test_show_uses_what_is_good_of_a_damaged_journal_and_ends_with_1(swarm: Swarm) -> None:
    session = ended_session()
    path = session.journal.path
    path.write_bytes(path.read_bytes().replace(b"nearly full", b"nearly empt"))
    ran = swarm("show")
    assert ran.code == 1
    assert "tests: denied" in ran.out
    assert f"{path}:5:" in ran.err


async def test_ls_tells_running_ended_and_broken_off_sessions_apart(
    client: FakeClient, swarm: Swarm
) -> None:
    ended, broken = ended_session(), ended_session(finish=False)
    async with running(client, swarm) as (session, shell):
        ran, listed = await shell("ls", "--json"), await shell("ls")
    states = {item["session"]: item["state"] for item in map(json.loads, ran.out.splitlines())}
    assert states == {session.id: "running", ended.id: "ended", broken.id: "broken off"}
    assert len(listed.out.splitlines()) == 3
    assert "exit 3" in listed.out


def test_ls_shows_the_newest_and_all_when_asked(swarm: Swarm) -> None:
    for _ in range(12):
        ended_session()
    few, everything = swarm("ls"), swarm("ls", "--all")
    assert len(few.out.splitlines()) == 10
    assert "2 more have ended" in few.err
    assert len(everything.out.splitlines()) == 12


@pytest.mark.parametrize(
    "command", [["pending"], ["approve", "r1"], ["deny", "r1"], ["stop"], ["send", "a", "b"]]
)
def test_a_session_that_is_over_cannot_be_reached(swarm: Swarm, command: list[str]) -> None:
    assert swarm(*command).code == 2
    session = ended_session()
    ran = swarm(*command)
    assert ran.code == 1
    assert f"swarm show {session.id}" in ran.err
