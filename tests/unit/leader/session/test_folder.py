"""How a session's folder is made, held and refused."""

import os
import stat
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from swarm.leader.errors import StateFolderError, UnsafeFolder
from swarm.leader.plan.resolved import TeamPlan, WorkerPlan
from swarm.leader.session.entries import Noticed
from swarm.leader.session.folder import create_session, session_id
from swarm.leader.session.presence import lock_is_held, read_leader_file

PLAN = TeamPlan(
    name="Release checks!",
    file=Path("/home/anna/plan.yaml"),
    workers=(WorkerPlan(name="tests", kind="script", cwd=Path("/home/anna")),),
    text="version: 1\n",
)


def test_an_id_is_readable_and_sorts_by_time() -> None:
    assert session_id("Release checks!", 1796070662, "7f3a") == "20261130-203102-release-checks-7f3a"
    assert session_id("日本", 0, "7f3a") == "19700101-000000-7f3a"


def test_a_session_has_its_plan_its_folders_and_who_leads_it(tmp_path: Path) -> None:
    environment = {"XDG_STATE_HOME": str(tmp_path)}
    with create_session(
        PLAN, "swarm 0.1.0", environment=environment, clock=lambda: 1796070662.0
    ) as session:
        assert session.folder.parent == tmp_path / "swarm" / "sessions"
        assert session.id.startswith("20261130-203102-release-checks-")
        assert (session.folder / "plan.yaml").read_text() == PLAN.text
        assert session.worker_folder("tests").is_dir()
        leader = read_leader_file(session.folder)
        assert leader is not None
        assert (leader.pid, leader.session_id, leader.program) == (os.getpid(), session.id, "swarm 0.1.0")
        assert session.journal.append(Noticed(level="info", text="x")) == 1
        assert lock_is_held(session.folder)
    assert not lock_is_held(session.folder)


def test_all_of_it_is_private(tmp_path: Path) -> None:
    with create_session(PLAN, "swarm", environment={"XDG_STATE_HOME": str(tmp_path)}):
        for folder, _, files in os.walk(tmp_path / "swarm"):
            assert stat.S_IMODE(Path(folder).stat().st_mode) == 0o700
            for name in files:
                assert stat.S_IMODE((Path(folder) / name).stat().st_mode) == 0o600, name


def test_the_socket_is_in_the_folder_where_its_path_is_short_enough() -> None:
    with (
        TemporaryDirectory() as home,
        create_session(PLAN, "swarm", environment={"XDG_STATE_HOME": home}) as session,
    ):
        assert session.control.parent == session.folder


def test_a_taken_id_is_not_used_again(tmp_path: Path) -> None:
    environment = {"XDG_STATE_HOME": str(tmp_path)}
    suffixes = iter(["aaaa", "aaaa", "bbbb"])
    make = [
        create_session(
            PLAN, "swarm", environment=environment, clock=lambda: 1.0, draw=lambda: next(suffixes)
        )
        for _ in range(2)
    ]
    assert make[0].folder != make[1].folder
    for session in make:
        session.close()
        session.close()


def test_a_long_path_gets_its_socket_in_a_private_temporary_folder(tmp_path: Path) -> None:
    environment = {"XDG_STATE_HOME": str(tmp_path / ("x" * 120))}
    with create_session(PLAN, "swarm", environment=environment) as session:
        folder = session.control.parent
        assert len(os.fsencode(session.control)) <= 100
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        leader = read_leader_file(session.folder)
        assert leader is not None
        assert leader.control == str(session.control)
    assert not folder.exists()


def test_a_relative_state_home_does_not_count(tmp_path: Path) -> None:
    environment = {"XDG_STATE_HOME": "state", "HOME": str(tmp_path)}
    with create_session(PLAN, "swarm", environment=environment) as session:
        assert session.folder.is_relative_to(tmp_path / ".local" / "state" / "swarm")


def test_a_state_folder_that_is_a_file_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "swarm").write_text("")
    with pytest.raises(StateFolderError, match="XDG_STATE_HOME"):
        create_session(PLAN, "swarm", environment={"XDG_STATE_HOME": str(tmp_path)})


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a place that cannot be written")
def test_a_place_where_no_folder_can_be_made_is_a_clear_error() -> None:
    with pytest.raises(StateFolderError, match="/proc"):
        create_session(PLAN, "swarm", environment={"XDG_STATE_HOME": "/proc/nowhere"})


def test_a_linked_sessions_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "swarm").mkdir(mode=0o700)
    (tmp_path / "swarm" / "sessions").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UnsafeFolder, match="symbolic link"):
        create_session(PLAN, "swarm", environment={"XDG_STATE_HOME": str(tmp_path)})
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_folder_that_others_may_write_in_is_refused(tmp_path: Path) -> None:
    (tmp_path / "swarm").mkdir()
    (tmp_path / "swarm").chmod(0o777)
    with pytest.raises(UnsafeFolder, match="others may write"):
        create_session(PLAN, "swarm", environment={"XDG_STATE_HOME": str(tmp_path)})


def test_a_session_that_cannot_be_made_leaves_nothing_behind(tmp_path: Path) -> None:
    worker = WorkerPlan(name="no/such/folder", kind="script", cwd=Path("/"))
    plan = TeamPlan(name="x", file=Path("/p"), workers=(worker,))
    with pytest.raises(StateFolderError):
        create_session(plan, "swarm", environment={"XDG_STATE_HOME": str(tmp_path)})
    assert list((tmp_path / "swarm" / "sessions").iterdir()) == []
