"""Requests of a run are seen and answered from another shell."""

import json
from pathlib import Path

import pytest

from support.plans import bash, write_plan
from support.programs import led, living, swarm

pytestmark = pytest.mark.timeout(150)  # many short-lived processes, slow on a busy machine


def test_each_answer_of_another_shell_has_its_effect_and_no_other(tmp_path: Path) -> None:
    steps = {name: [bash(f"touch {name}", continue_on_error=True)] for name in ("one", "two", "three")}
    write_plan(tmp_path, steps)
    with led("--on-ask", "wait", cwd=tmp_path) as run:
        waiting = {asked["worker"]: asked for asked in run.pending(count=3)}
        shown = swarm("pending", cwd=tmp_path)
        assert all(f"touch {name}" in shown.out for name in steps)
        assert str(tmp_path) in shown.out
        one, two, three = (waiting[name]["request"] for name in ("one", "two", "three"))
        wrong = swarm("approve", one, "--digest", "0" * 12, cwd=tmp_path)
        assert (wrong.code, "not about what it asks" in wrong.err) == (1, True)
        assert not (tmp_path / "one").exists()
        approved = swarm("approve", one, "--digest", waiting["one"]["digest"][:12], cwd=tmp_path)
        assert (approved.code, "Allowed" in approved.err) == (0, True), approved
        denied = swarm("deny", two, "-m", "not that one", cwd=tmp_path)
        assert (denied.code, "touch two" in denied.err) == (0, True), denied
        again = swarm("approve", two, cwd=tmp_path)
        assert (again.code, "already" in again.err) == (1, True), again
        unknown = swarm("approve", "r99", cwd=tmp_path)
        assert (unknown.code, "swarm pending" in unknown.err) == (2, True), unknown
        (left,) = run.pending()
        assert left["request"] == three
        stopped = swarm("stop", cwd=tmp_path)
        assert stopped.code == 0, stopped
        ran = run.end()
    assert ran.code == 130
    assert "not that one" in ran.out
    assert [name for name in steps if (tmp_path / name).exists()] == ["one"]


def test_always_from_another_shell_writes_the_rule_that_it_names(tmp_path: Path) -> None:
    write_plan(tmp_path, {"alpha": [bash("touch made"), bash("touch made")]})
    with led("--on-ask", "wait", cwd=tmp_path) as run:
        (asked,) = run.pending()
        approved = swarm(
            "approve", asked["request"], "--digest", asked["digest"][:12], "--always", cwd=tmp_path
        )
        assert approved.code == 0, approved
        assert run.end().code == 0
    written = json.loads((tmp_path / ".swarm/settings.local.json").read_text(encoding="utf-8"))
    assert all(f"allow {rule}" in approved.err for rule in written["permissions"]["allow"])
    assert f"Written to {tmp_path}/.swarm/settings.local.json" in approved.err
    assert (tmp_path / "made").exists()
    assert swarm("run", "plan.yaml", "--headless", cwd=tmp_path).code == 0


def test_of_two_sessions_none_is_guessed(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    for folder in (one, two):
        folder.mkdir()
        write_plan(folder, {"alpha": [bash("touch made")]}, name=folder.name)
    with led("--on-ask", "wait", cwd=one) as first, led("--on-ask", "wait", cwd=two) as second:
        asked = first.pending(count=2)
        trees = first.tree() + second.tree()
        assert {item["request"] for item in asked} == {"r1"}
        sessions = {item["cwd"]: item["session"] for item in asked}
        guess = swarm("approve", "r1", cwd=one)
        assert guess.code == 2
        assert all(session in guess.err for session in sessions.values())
        assert "--session" in guess.err
        assert swarm("approve", "r1", "--session", sessions[str(one)], cwd=two).code == 0
        assert first.end().code == 0
        assert not (two / "made").exists()
        assert swarm("stop", "--now", cwd=one).code == 0
        assert second.end().code == 130
    assert (one / "made").exists()
    assert not (two / "made").exists()
    assert not living(trees)
