"""Leaders and workers are killed at will; another leader goes on, and every call runs once at most."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from support.plans import bash, write_plan
from support.programs import Led, led, living, swarm
from support.waiting import wait_until
from swarm.leader.cli.interrupted import interrupted_hint
from swarm.leader.session.entries import (
    AnyEntry,
    RequestAsked,
    RequestDecided,
    RequestEnded,
    SessionResumed,
    WorkerChanged,
)
from swarm.leader.session.reading import read_journal
from swarm.leader.session.stored import find_session

pytestmark = pytest.mark.timeout(150)

ASKS = bash("echo done >> made")
WAITS = "echo begun >> log; while [ ! -e go ]; do sleep 0.02; done; echo ended >> log"


@pytest.fixture(autouse=True)
def short_state_folder(own_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The control socket lies in the session's folder then, where a killed leader may leave it."""
    monkeypatch.setenv("XDG_STATE_HOME", str(own_home.parent / "s"))


@contextmanager
def resumed(cwd: Path, *arguments: str, session: str = "") -> Iterator[Led]:
    command = ("resume", session) if session else ("continue",)
    with led(*(arguments or ("--on-ask", "wait")), cwd=cwd, command=command) as run:
        yield run


def approve(asked: dict[str, Any], cwd: Path, verb: str = "approve") -> None:
    ran = swarm(verb, asked["request"], "--session", asked["session"], "--digest", asked["digest"], cwd=cwd)
    assert ran.code == 0, ran


def written() -> list[AnyEntry]:
    return [record.entry for record in read_journal(find_session().journal)]


def check_story(count: int = 1) -> None:
    """Every request has exactly one end, and was decided once at most."""
    entries = written()
    asked = [entry.request_id for entry in entries if isinstance(entry, RequestAsked)]
    decided = [entry.request_id for entry in entries if isinstance(entry, RequestDecided)]
    ends = [e.request_id for e in entries if isinstance(e, RequestEnded) and e.state != "delivered"]
    assert asked == [f"r{number}" for number in range(1, count + 1)]
    assert sorted(ends) == sorted(asked)
    assert len(decided) == len(set(decided))


def lines(path: Path) -> list[str]:
    return path.read_text().splitlines() if path.exists() else []


def test_a_request_outlives_its_leader_and_its_call_runs_once_when_it_is_allowed(tmp_path: Path) -> None:
    write_plan(tmp_path, {"alpha": [ASKS]})
    with led("--on-ask", "wait", cwd=tmp_path) as run:
        (first,) = run.pending()
        (worker,) = run.workers()
        run.kill()
    assert not (tmp_path / "made").exists()
    with resumed(tmp_path, session=first["session"]) as again:
        (second,) = again.pending()
        assert second["at"] == pytest.approx(first["at"], abs=0.1)
        for name in ("request", "digest", "session"):
            assert second[name] == first[name]
        assert living([worker])
        approve(second, tmp_path)
        ran = again.end()
    assert ran.code == 0, ran
    assert "alive: alpha; 1 request waits" in ran.err
    assert "r1 asks for Bash: echo done >> made" in ran.out
    assert lines(tmp_path / "made") == ["done"]
    check_story()
    attempts = [entry.attempt for entry in written() if isinstance(entry, WorkerChanged)]
    assert max(attempts) == 1


def test_two_leaders_may_die_in_a_row(tmp_path: Path) -> None:
    write_plan(tmp_path, {"alpha": [ASKS]})
    with led("--on-ask", "wait", cwd=tmp_path) as run:
        (first,) = run.pending()
        run.kill()
    for _ in range(2):
        with resumed(tmp_path) as again:
            assert [asked["at"] for asked in again.pending()] == [pytest.approx(first["at"], abs=0.1)]
            again.kill()
    with resumed(tmp_path) as last:
        approve(last.pending()[0], tmp_path)
        assert last.end().code == 0
    assert lines(tmp_path / "made") == ["done"]
    check_story()
    assert [entry.adopted for entry in written() if isinstance(entry, SessionResumed)] == [("alpha",)] * 3


def test_a_worker_that_died_with_its_leader_starts_again_and_asks_anew(tmp_path: Path) -> None:
    write_plan(tmp_path, {"alpha": [ASKS]})
    with led("--on-ask", "wait", cwd=tmp_path) as run:
        run.pending()
        (worker,) = run.workers()
        os.kill(run.process.pid, 19)  # so that it cannot see its worker die
        worker.kill()
        run.kill()
    with resumed(tmp_path) as again:
        wait_until(lambda: [asked["request"] for asked in again.pending()] == ["r2"])
        approve(again.pending()[0], tmp_path)
        ran = again.end()
    assert ran.code == 0, ran
    assert lines(tmp_path / "made") == ["done"]
    check_story(2)
    (orphaned,) = [e for e in written() if isinstance(e, RequestEnded) and e.state == "orphaned"]
    assert (orphaned.request_id, orphaned.detail[:7]) == ("r1", "not run")


@pytest.mark.parametrize("ends", ["before", "after"])
def test_a_call_that_runs_while_its_leader_dies_ends_and_runs_no_more(tmp_path: Path, ends: str) -> None:
    write_plan(tmp_path, {"alpha": [bash(WAITS)]}, permissions={"allow": ["Bash"]})
    with led("--on-ask", "wait", cwd=tmp_path) as run:
        wait_until(lambda: lines(tmp_path / "log") == ["begun"])
        (worker,) = run.workers()
        run.kill()
    if ends == "before":
        (tmp_path / "go").touch()
        wait_until(lambda: lines(tmp_path / "log") == ["begun", "ended"])
    with resumed(tmp_path) as again:
        wait_until(lambda: any(isinstance(entry, SessionResumed) for entry in written()))
        (tmp_path / "go").touch()
        ran = again.end()
    assert ran.code == 0, ran
    assert lines(tmp_path / "log") == ["begun", "ended"]
    assert not living([worker])


def test_a_call_that_was_cut_short_is_never_repeated_without_a_person(tmp_path: Path) -> None:
    steps = [bash("echo one >> first"), bash(WAITS)]
    write_plan(tmp_path, {"alpha": steps}, permissions={"allow": ["Bash"]})
    with led("--on-ask", "wait", cwd=tmp_path) as run:
        wait_until(lambda: lines(tmp_path / "log") == ["begun"])
        os.kill(run.process.pid, 19)
        for process in run.workers()[0].children(recursive=True):
            process.kill()
        run.workers()[0].kill()
        run.kill()
    with resumed(tmp_path) as again:
        (asked,) = again.pending()
        assert "may have had effects" in asked["note"] + asked["why"]
        (tmp_path / "go").touch()
        approve(asked, tmp_path)
        ran = again.end()
    assert ran.code == 0, ran
    assert lines(tmp_path / "first") == ["one"]
    assert lines(tmp_path / "log") == ["begun", "begun", "ended"]


def test_a_session_that_is_led_or_has_ended_is_not_taken(tmp_path: Path) -> None:
    write_plan(tmp_path, {"alpha": [ASKS]})
    with led("--on-ask", "wait", cwd=tmp_path) as run:
        (asked,) = run.pending()
        refused = swarm("resume", asked["session"], "--headless", cwd=tmp_path)
        assert refused.code == 2
        assert f"process {run.process.pid}" in refused.err
        assert "swarm pending" in refused.err
        approve(asked, tmp_path)
        assert run.end().code == 0
    over = swarm("resume", asked["session"], "--headless", cwd=tmp_path)
    assert over.code == 2
    assert f"swarm show {asked['session']}" in over.err
    assert swarm("continue", "--headless", cwd=tmp_path).code == 2


def test_an_interrupted_session_is_listed_and_told_with_the_way_to_go_on(tmp_path: Path) -> None:
    write_plan(tmp_path, {"alpha": [ASKS]})
    with led("--on-ask", "wait", cwd=tmp_path) as run:
        (asked,) = run.pending()
        run.kill()
    way = f"swarm resume {asked['session']}"
    listed = swarm("ls", "--json", cwd=tmp_path).objects()
    assert [item["state"] for item in listed] == ["interrupted"]
    assert way in swarm("ls", cwd=tmp_path).out
    assert way in interrupted_hint(tmp_path / "plan.yaml")
    assert interrupted_hint(tmp_path / "other.yaml") == ""
    pending = swarm("pending", asked["session"], cwd=tmp_path)
    assert pending.code == 1
    assert "echo done >> made" in pending.out + pending.err
    assert way in pending.err
    with resumed(tmp_path, "--on-ask", "deny", session=asked["session"]) as again:
        assert again.end().code == 3
    assert not (tmp_path / "made").exists()
    check_story()


def test_a_worker_that_was_paused_when_its_leader_died_goes_on_under_the_next(tmp_path: Path) -> None:
    write_plan(tmp_path, {"alpha": [ASKS]})
    with led("--on-ask", "wait", cwd=tmp_path) as run:
        run.pending()
        (worker,) = run.workers()
        worker.suspend()
        run.kill()
    with resumed(tmp_path) as again:
        approve(again.pending()[0], tmp_path)
        assert again.end().code == 0
    assert lines(tmp_path / "made") == ["done"]
    check_story()
