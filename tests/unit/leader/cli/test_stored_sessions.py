"""The commands that read sessions from disk, running or ended."""

import json
from typing import Any

import pytest
from unit.leader.cli.program import PLAN, Swarm, running

from swarm.ipc.messages import Preview
from swarm.leader.core.fake_client import FakeClient
from swarm.leader.core.views import WorkerPhase
from swarm.leader.session.entries import (
    CallDecided,
    Noticed,
    RequestAsked,
    SessionEnded,
    SessionStarted,
    WorkerChanged,
)
from swarm.leader.session.folder import Session, create_session
from swarm.permissions.model import Behavior, Reason


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
    assert "interrupted" in ran.out
    assert "Workers when it was interrupted:" in ran.out
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
    assert states == {session.id: "running", ended.id: "ended", broken.id: "interrupted"}
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
