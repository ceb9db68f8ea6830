"""`swarm run` without a terminal: what it prints, how it ends, and that nothing is left behind."""

import os
import re
import signal
import subprocess
from pathlib import Path

import pytest

from support.plans import bash, write_plan
from support.programs import PROGRAM, led, living, swarm
from support.waiting import wait_until

WITHIN = 12.0
"""Seconds in which nothing of a killed leader may be left."""


@pytest.mark.parametrize(
    ("command", "code", "meaning"),
    [
        ("touch made", 0, "all workers succeeded"),
        ("ls missing", 1, "a worker failed"),
        ("touch other", 3, "a needed call was denied"),
    ],
)
def test_the_exit_code_says_how_it_went(tmp_path: Path, command: str, code: int, meaning: str) -> None:
    write_plan(
        tmp_path, {"alpha": [bash(command)]}, permissions={"allow": ["Bash(touch made)", "Bash(ls:*)"]}
    )
    ran = swarm("run", "plan.yaml", "--headless", cwd=tmp_path)
    assert (ran.code, ran.err.count("session ")) == (code, 1), ran
    assert f"Exit {code}: {meaning}" in ran.out
    assert (tmp_path / "made").exists() == (code == 0)
    assert not (tmp_path / "other").exists()


def test_exactly_the_rules_that_it_prints_make_the_same_plan_succeed(tmp_path: Path) -> None:
    workers = {
        "alpha": [bash("touch made")],
        "beta": [{"write": {"path": "notes/new.txt", "content": "x"}}],
    }
    write_plan(tmp_path, workers)
    first = swarm("run", "plan.yaml", "--headless", cwd=tmp_path)
    assert first.code == 3
    rules = re.findall(r'^      - "(.*)"$', first.out, re.MULTILINE)
    assert len(rules) == 2, first.out
    write_plan(tmp_path, workers, permissions={"allow": rules})
    second = swarm("run", "plan.yaml", "--headless", cwd=tmp_path)
    assert second.code == 0, second.out
    assert (tmp_path / "made").exists()
    assert (tmp_path / "notes/new.txt").read_text(encoding="utf-8") == "x"


def test_as_json_stdout_holds_one_object_a_line_and_nothing_else(tmp_path: Path) -> None:
    loud = "\x1b[31mred\x1b[0m \u202e"
    write_plan(
        tmp_path,
        {"alpha": [{"say": loud}, bash("touch made")]},
        permissions={"allow": ["Bash(touch made)"]},
    )
    ran = swarm("run", "plan.yaml", "--json", cwd=tmp_path)
    events = ran.objects()
    assert ran.code == 0
    assert ran.out.isascii()
    assert "\x1b" not in ran.out + ran.err
    assert [events[0]["type"], events[-1]["type"]] == ["session_started", "summary"]
    assert events[-1]["exit_code"] == 0
    assert loud in "".join(event["text"] for event in events if event["type"] == "text")


def test_a_missed_call_ends_the_whole_run_where_it_was_told_so(tmp_path: Path) -> None:
    write_plan(
        tmp_path,
        {"alpha": [bash("touch made")], "slow": [bash("sleep 600")]},
        permissions={"allow": ["Bash(sleep:*)"]},
    )
    ran = swarm("run", "plan.yaml", "--headless", "--on-ask", "fail", cwd=tmp_path)
    assert ran.code == 3, ran
    assert "Needed and not allowed:\n  alpha: Bash: touch made\n" in ran.out
    assert '- "Bash(touch' in ran.out
    assert re.search("slow +cancelled", ran.out)
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize("times", [1, 2])
def test_an_interrupt_stops_in_good_order_and_the_next_at_once(tmp_path: Path, times: int) -> None:
    stubborn = tmp_path / "stubborn"
    stubborn.write_text("#!/bin/sh\ntrap '' INT TERM HUP\ntouch begun\nwhile :; do sleep 1; done\n")
    stubborn.chmod(0o700)
    command = "./stubborn" if times == 2 else "sleep 600"
    write_plan(
        tmp_path,
        {"busy": [bash(command)], "asking": [bash("touch made")]},
        permissions={"allow": ["Bash(./stubborn)", "Bash(sleep:*)"]},
    )
    with led("--on-ask", "wait", cwd=tmp_path) as run:
        run.pending()
        wait_until(lambda: len(run.tree()) >= 4)
        tree = run.tree()
        run.process.send_signal(signal.SIGINT)
        assert run.process.stderr is not None
        wait_until(lambda: "SIGINT: stopping" in run.process.stderr.readline())  # type: ignore[union-attr]  # a pipe
        if times == 2:
            run.process.send_signal(signal.SIGINT)
        ran = run.end()
    assert ran.code == 130
    assert "Exit 130" in ran.out
    assert not living(tree)
    assert not (tmp_path / "made").exists()


def test_workers_of_a_killed_leader_begin_nothing_and_end_with_the_session_that_goes_on(
    tmp_path: Path, own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A short path, so that the socket lies in the session's folder and not in one for temporary files.
    monkeypatch.setenv("XDG_STATE_HOME", str(own_home.parent / "s"))
    write_plan(
        tmp_path,
        {"busy": [bash("sleep 600"), bash("touch made")], "asking": [bash("touch made")]},
        permissions={"allow": ["Bash(sleep:*)"]},
    )
    with led("--on-ask", "wait", cwd=tmp_path) as run:
        run.pending()
        wait_until(lambda: len(run.tree()) >= 4)
        tree = run.tree()
        run.kill()
    listed = swarm("ls", "--json", cwd=tmp_path).objects()
    assert [session["state"] for session in listed] == ["interrupted"]
    shown = swarm("show", cwd=tmp_path)
    assert "Waiting when it was interrupted:" in shown.out
    assert "touch made" in shown.out
    assert swarm("pending", cwd=tmp_path).code == 1
    with led(cwd=tmp_path, command=("continue",)) as again:
        again.pending()
        assert swarm("stop", cwd=tmp_path).code == 0
        assert again.end().code == 130
    wait_until(lambda: not living(tree), WITHIN)
    assert not (tmp_path / "made").exists()


def test_a_reader_that_leaves_does_not_end_the_run(tmp_path: Path) -> None:
    write_plan(
        tmp_path,
        {"alpha": [{"say": "x\n" * 2000}, bash("touch made")]},
        permissions={"allow": ["Bash(touch made)"]},
    )
    command = [*PROGRAM, "run", "plan.yaml", "--headless"]
    with subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=dict(os.environ)
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        told = process.stderr.read().decode()
    assert process.returncode == 0, told
    assert "Traceback" not in told
    assert (tmp_path / "made").exists()


def test_all_that_is_wrong_with_a_plan_is_told_at_once_with_its_place(tmp_path: Path) -> None:
    plan = tmp_path / "plan.yaml"
    plan.write_text(
        "version: 1\nname: x\nworkers:\n  a: {agent: scrpt}\n"
        "  b: {agent: script, needs: [c], steps: [{bsh: x}]}\n"
        "  d: {agent: script, steps: [], colour: red}\n"
    )
    ran, checked = swarm("run", "plan.yaml", cwd=tmp_path), swarm("validate", "plan.yaml", cwd=tmp_path)
    assert (ran.code, checked.code, ran.out) == (2, 2, "")
    for told in (ran.err, checked.out):
        assert set(re.findall(r"plan\.yaml:(\d+):\d+: ", told)) >= {"4", "5", "6"}, told
        assert "script" in told
        assert "color" in told
    assert not list(tmp_path.glob("**/journal.jsonl"))
