"""How old sessions are removed, and which never are."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from unit.leader.cli.program import PLAN, Swarm

from swarm.leader.core.processes import MARK
from swarm.leader.core.views import WorkerPhase
from swarm.leader.session.entries import SessionEnded, WorkerChanged
from swarm.leader.session.folder import Session, create_session
from swarm.leader.session.presence import process_start, take_lock
from swarm.leader.session.removal import LEAVING, living_processes, remove_leavings
from swarm.leader.session.stored import StoredSession, list_sessions

OLD = 1_000_000.0


def session_of(at: float, *, finish: bool = True, entry: WorkerChanged | None = None) -> Session:
    session = create_session(PLAN, "swarm", clock=lambda: at)
    if entry is not None:
        session.journal.append(entry)
    if finish:
        session.journal.append(SessionEnded(exit_code=0))
    session.close()
    return session


@contextmanager
def living(**environment: str) -> Iterator[subprocess.Popen[bytes]]:
    """Give a process that lives until it is let go."""
    command = [sys.executable, "-c", "import sys; print(flush=True); sys.stdin.read()"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, **environment}
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        try:
            yield process
        finally:
            process.kill()


def stored(session: Session) -> StoredSession:
    return next(found for found in list_sessions() if found.id == session.id)


def test_what_ended_long_ago_is_removed_and_the_rest_stays(swarm: Swarm) -> None:
    old, new = session_of(OLD), session_of(time.time())
    ran = swarm("clean", "--yes")
    assert ran.code == 0
    assert old.id in ran.out
    assert new.id not in ran.out
    assert not old.folder.exists()
    assert new.folder.is_dir()
    assert [found.name for found in new.folder.parent.iterdir()] == [new.id]


def test_a_dry_run_names_what_would_go_and_removes_nothing(swarm: Swarm) -> None:
    old = session_of(OLD)
    ran = swarm("clean", "--dry-run")
    assert (ran.code, old.id in ran.out) == (0, True)
    assert "1 session" in ran.err
    assert "would be removed" in ran.err
    assert old.folder.is_dir()


def test_json_gives_one_object_for_each(swarm: Swarm) -> None:
    old = session_of(OLD)
    found = json.loads(swarm("clean", "--dry-run", "--json").out)
    assert (found["session"], found["ended"], found["last_at"]) == (old.id, True, OLD)
    assert found["size"] > 0


def test_where_nobody_can_be_asked_nothing_is_removed_without_yes(swarm: Swarm) -> None:
    old = session_of(OLD)
    ran = swarm("clean")
    assert ran.code == 1
    assert "--yes" in ran.err
    assert old.folder.is_dir()


def test_the_newest_can_be_kept_however_old(swarm: Swarm) -> None:
    older, newer = session_of(OLD), session_of(OLD + 100)
    assert swarm("clean", "--keep", "1", "--yes").code == 0
    assert not older.folder.exists()
    assert newer.folder.is_dir()


def test_an_interrupted_session_goes_only_by_its_name(swarm: Swarm) -> None:
    session = session_of(OLD, finish=False)
    assert swarm("clean", "--yes").code == 0
    assert session.folder.is_dir()
    assert swarm("clean", "--session", session.id, "--yes").code == 0
    assert not session.folder.exists()


def test_a_session_that_somebody_holds_is_never_removed(swarm: Swarm) -> None:
    session = session_of(OLD)
    lock = take_lock(session.folder)
    try:
        assert swarm("clean", "--yes").code == 0
        ran = swarm("clean", "--session", session.id, "--yes")
    finally:
        os.close(lock)
    assert ran.code == 1
    assert "is held by" in ran.err
    assert (session.folder / "journal.jsonl").is_file()


def test_a_session_of_which_any_process_lives_is_never_removed(swarm: Swarm) -> None:
    session = session_of(OLD)
    with living(**{MARK: f"{session.id}/tests/1"}) as process:
        ran = swarm("clean", "--yes")
        assert ran.code == 1
        assert str(process.pid) in ran.err
    assert session.folder.is_dir()
    assert swarm("clean", "--yes").code == 0
    assert not session.folder.exists()


def test_a_worker_that_only_the_journal_names_counts_as_living() -> None:
    with living() as process:
        started = process_start(process.pid)
        entry = WorkerChanged(
            worker="tests", phase=WorkerPhase.RUNNING, pid=process.pid, process_started=started
        )
        session = session_of(OLD, finish=False, entry=entry)
        assert living_processes(stored(session)) == (process.pid,)
    assert living_processes(stored(session)) == ()


def test_no_link_is_followed(swarm: Swarm, tmp_path: Path) -> None:
    session = session_of(OLD)
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "file").write_text("kept")
    (session.folder / "workers" / "link").symlink_to(precious)
    (session.folder.parent / "linked").symlink_to(precious)
    (session.folder.parent / f"{LEAVING}linked").symlink_to(precious)
    assert swarm("clean", "--yes").code == 0
    assert not session.folder.exists()
    assert (precious / "file").read_text() == "kept"
    assert swarm("clean", "--session", "linked", "--yes").code == 1
    assert (precious / "file").read_text() == "kept"


def test_what_an_interrupted_removal_left_is_no_session_and_goes_with_the_next(swarm: Swarm) -> None:
    session = session_of(OLD)
    left = session.folder.rename(session.folder.with_name(f"{LEAVING}{session.id}"))
    assert list_sessions() == []
    remove_leavings(left.parent)
    assert not left.exists()


@pytest.mark.parametrize("age", ["", "d", "-3d", "soon", "1.5d", "\u0663d"])
def test_an_age_that_is_none_is_refused(swarm: Swarm, age: str) -> None:
    session = session_of(OLD)
    assert swarm("clean", "--yes", f"--older-than={age}").code == 2
    assert session.folder.is_dir()
