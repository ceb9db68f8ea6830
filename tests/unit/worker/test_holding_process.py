"""A real worker process whose leader dies: it moves to the mailbox and goes on from there."""

import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.realms import Realm
from support.spawning import Spawned, is_running, spawned
from support.waiting import until
from swarm.ipc.messages import Hello, PermissionRequest, Result

DAEMON = """
import os, signal
os.fork() and os._exit(0)
os.setsid()
print(os.getpid(), flush=True)
signal.pause()
"""
"""Leaves its parents, its session and, started without it, the mark of its call."""

pytestmark = pytest.mark.processes


@pytest.fixture
def realm(tmp_path: Path) -> Iterator[Realm]:
    realm = Realm(tmp_path)
    realm.crown()
    yield realm
    realm.fall()


async def left_alone(leader: Spawned, realm: Realm) -> None:
    """Let the leader of a worker die, at both of its ends."""
    leader.channel.abandon("it died")
    realm.fall()


async def test_it_is_adopted_by_mail_and_finishes(tmp_path: Path, realm: Realm) -> None:
    async with spawned(tmp_path) as first:
        first.is_allowing = False
        await first.start({"bash": "echo made > file; cat file"}, session=str(realm.session))
        request = await first.first(PermissionRequest)
        await left_alone(first, realm)
        second = await realm.succeed(tmp_path)
        assert (second.all(Hello)[0].worker, second.all(Hello)[0].attempt) == ("w", 1)
        assert (await second.first(PermissionRequest)).id == request.id
        assert not (tmp_path / "file").exists()
        second.answer(request)
        assert (await second.first(Result)).text == "made\n"
        assert await first.exit_status() == 0
    assert realm.calls.count('"began"') == 1


async def test_two_leaders_may_die_one_after_the_other(tmp_path: Path, realm: Realm) -> None:
    async with spawned(tmp_path) as first:
        first.is_allowing = False
        await first.start({"bash": "echo once >> file"}, {"bash": "cat file"}, session=str(realm.session))
        request = await first.first(PermissionRequest)
        await left_alone(first, realm)
        second = await realm.succeed(tmp_path)
        await second.first(PermissionRequest)
        realm.fall()
        third = await realm.succeed(tmp_path, is_allowing=True)
        assert (await third.first(PermissionRequest)).id == request.id
        assert (await third.first(Result)).text == "once\n"
        assert await first.exit_status() == 0


async def test_what_runs_may_end_while_it_waits_and_prints_to_nobody(tmp_path: Path, realm: Realm) -> None:
    async with spawned(tmp_path) as first:
        command = "touch begun; while [ ! -e go ]; do sleep 0.02; done; seq 20000"
        await first.start({"bash": command}, {"bash": "echo after"}, session=str(realm.session))
        await until((tmp_path / "begun").exists)
        await left_alone(first, realm)
        (tmp_path / "go").touch()
        await until(lambda: '"ended"' in realm.calls)
        second = await realm.succeed(tmp_path, is_allowing=True)
        assert (await second.first(Result)).text == "after\n"
        assert len(second.all(PermissionRequest)) == 1
        assert await first.exit_status() == 0


async def test_without_another_leader_its_whole_tree_ends(
    tmp_path: Path, realm: Realm, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SWARM_TREE", f"{tmp_path.name}/w/1")
    note = tmp_path / "pid"
    (tmp_path / "daemon.py").write_text(DAEMON)
    async with spawned(tmp_path) as first:
        command = (
            f"env -u SWARM_CALL {sys.executable} daemon.py > {note}.new; mv {note}.new {note}; sleep 1000"
        )
        await first.start({"bash": command}, session=str(realm.session), hold=0.1)
        await until(lambda: note.exists() and note.read_text())
        daemon_id = int(note.read_text())
        assert is_running(daemon_id)
        await left_alone(first, realm)
        assert await first.exit_status() == 1
        assert not is_running(daemon_id)


async def test_a_signal_while_it_waits_ends_it_at_once(tmp_path: Path, realm: Realm) -> None:
    async with spawned(tmp_path) as first:
        first.is_allowing = False
        await first.start({"bash": "touch ran"}, session=str(realm.session))
        await first.first(PermissionRequest)
        await left_alone(first, realm)
        await until(lambda: list((realm.session / "mail" / "leader" / "new").iterdir()))
        first.process.send_signal(signal.SIGTERM)
        assert await first.exit_status() == 1
    assert not (tmp_path / "ran").exists()
