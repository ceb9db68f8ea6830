"""How sessions are found again, running or ended."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from swarm.leader.errors import AmbiguousSession, NoSession, UnknownSession, UnsafeFolder
from swarm.leader.plan.resolved import TeamPlan
from swarm.leader.session.folder import Session, create_session
from swarm.leader.session.presence import LEADER_FILE, read_leader_file, write_leader_file
from swarm.leader.session.stored import find_session, is_alive, list_sessions

LEADER = """
import sys
from pathlib import Path
from swarm.leader.plan.resolved import TeamPlan
from swarm.leader.session.folder import create_session
with create_session(TeamPlan(name="far", file=Path("/p"), workers=()), "swarm") as session:
    sys.stdout.write(session.id + "\\n")
    sys.stdout.flush()
    sys.stdin.read()
"""


@contextmanager
def leader_elsewhere(environment: dict[str, str]) -> Iterator[tuple[str, "subprocess.Popen[str]"]]:
    """Run a leader in another process; give its session's id and the process."""
    with subprocess.Popen(
        [sys.executable, "-c", LEADER],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip(), process
        finally:
            process.kill()


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return {"XDG_STATE_HOME": str(tmp_path)}


def make(environment: dict[str, str], name: str, at: float) -> Session:
    plan = TeamPlan(name=name, file=Path("/p"), workers=())
    return create_session(plan, "swarm", environment=environment, clock=lambda: at, draw=lambda: "0000")


def test_without_any_session_it_says_how_to_start_one(environment: dict[str, str]) -> None:
    assert list_sessions(environment=environment) == []
    with pytest.raises(NoSession, match="swarm run"):
        find_session(environment=environment)


def test_the_newest_stands_first_and_is_the_one_meant(environment: dict[str, str]) -> None:
    for at in (10.0, 30.0, 20.0):
        make(environment, "checks", at).close()
    ids = [session.id for session in list_sessions(environment=environment)]
    assert ids == sorted(ids, reverse=True)
    assert len(ids) == 3
    assert find_session(environment=environment).id == ids[0]


def test_a_running_session_is_meant_before_a_newer_one_that_ended(environment: dict[str, str]) -> None:
    with make(environment, "old", 10.0) as running:
        make(environment, "new", 20.0).close()
        assert find_session(environment=environment).id == running.id


def test_a_session_is_found_by_the_beginning_of_its_id(environment: dict[str, str]) -> None:
    make(environment, "checks", 10.0).close()
    make(environment, "checks", 86400.0).close()
    assert find_session("19700102", environment=environment).leader is not None
    with pytest.raises(AmbiguousSession, match="19700101-000010-checks-0000"):
        find_session("1970", environment=environment)
    with pytest.raises(UnknownSession, match="Did you mean 19700101-000010-checks-0000"):
        find_session("19700101-000010-check5-0000", environment=environment)
    with pytest.raises(UnknownSession):
        find_session("", environment=environment)


def test_a_session_lives_as_long_as_its_leader(environment: dict[str, str]) -> None:
    with leader_elsewhere(environment) as (session_id, process):
        session = find_session(session_id, environment=environment)
        assert is_alive(session)
        process.kill()
        process.wait()
        assert not is_alive(session)


def test_a_lock_held_by_another_than_who_wrote_the_file_is_no_sign_of_life(
    environment: dict[str, str],
) -> None:
    with make(environment, "checks", 10.0) as session:
        leader = read_leader_file(session.folder)
        assert leader is not None
        write_leader_file(session.folder, msgspec.structs.replace(leader, process_started=1.0))
        assert not is_alive(find_session(session.id, environment=environment))


def test_a_planted_session_is_refused_by_name_and_not_listed(
    environment: dict[str, str], tmp_path: Path
) -> None:
    with make(environment, "real", 10.0) as session:
        (session.folder.parent / "99999999-planted").symlink_to(tmp_path)
        assert [found.id for found in list_sessions(environment=environment)] == [session.id]
        with pytest.raises(UnsafeFolder, match="symbolic link"):
            find_session("9999", environment=environment)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"pid":1}'])
def test_a_session_whose_leader_cannot_be_told_is_listed_as_ended(
    environment: dict[str, str], content: bytes
) -> None:
    with make(environment, "checks", 10.0) as session:
        (session.folder / LEADER_FILE).write_bytes(content)
        (found,) = list_sessions(environment=environment)
        assert found.leader is None
        assert not is_alive(found)
