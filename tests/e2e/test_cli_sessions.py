"""Sessions are listed and shown, and places that cannot keep them are told before any harm."""

import resource
import subprocess
from pathlib import Path

import pytest
import typer.main

from support.plans import bash, write_plan
from support.programs import LIMIT, PROGRAM, led, swarm
from swarm.leader.cli.app import COMMANDS, build_app

pytestmark = pytest.mark.timeout(150)  # many short-lived processes, slow on a busy machine


def test_running_and_ended_sessions_are_listed_and_shown(tmp_path: Path) -> None:
    write_plan(tmp_path, {"alpha": [bash("touch made")]})
    with led("--on-ask", "wait", cwd=tmp_path) as run:
        (asked,) = run.pending()
        listed = swarm("ls", "--json", cwd=tmp_path).objects()
        assert [(item["session"], item["state"]) for item in listed] == [(asked["session"], "running")]
        shown = swarm("show", cwd=tmp_path)
        assert "running" in shown.out
        assert "touch made" in shown.out
        assert [item["request"] for item in run.pending()] == ["r1"]
        swarm("deny", "r1", "-m", "why not", cwd=tmp_path)
        assert run.end().code == 3
    listed = swarm("ls", "--json", cwd=tmp_path).objects()
    assert [(item["state"], item["exit_code"]) for item in listed] == [("ended", 3)]
    assert "exit 3" in swarm("ls", cwd=tmp_path).out
    (story,) = swarm("show", asked["session"][:20], "--json", cwd=tmp_path).objects()
    assert (story["exit_code"], story["denied_count"], story["waiting"]) == (3, 1, [])
    assert story["decisions"] == {"interactive-deny": 1}


def test_a_folder_that_cannot_keep_a_session_is_told_and_nothing_starts(tmp_path: Path) -> None:
    write_plan(tmp_path, {"alpha": [bash("touch made")]}, permissions={"allow": ["Bash(touch made)"]})
    (tmp_path / "file").touch()
    ran = swarm("run", "plan.yaml", "--headless", cwd=tmp_path, XDG_STATE_HOME=str(tmp_path / "file"))
    assert (ran.code, ran.out) == (1, "")
    assert str(tmp_path / "file") in ran.err
    assert "Traceback" not in ran.err
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize("room", [0, 2000], ids=["at once", "later"])
def test_without_room_for_the_journal_nothing_runs(tmp_path: Path, room: int) -> None:
    allowed = {"allow": ["Bash(touch:*)"]}
    write_plan(tmp_path, {"alpha": [{"say": "x" * 3000}, bash("touch made")]}, permissions=allowed)

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))

    ran = swarm("run", "plan.yaml", "--headless", cwd=tmp_path, preexec=limit)
    assert ran.code == 1, ran
    assert "Traceback" not in ran.err
    assert "File too large" in ran.err + ran.out
    assert not (tmp_path / "made").exists()


def test_output_into_a_pipe_has_no_colours_and_says_when_its_reader_leaves(tmp_path: Path) -> None:
    write_plan(tmp_path, {"alpha": [bash("touch made")]})
    with led("--on-ask", "wait", cwd=tmp_path) as run:
        run.pending()
        for arguments in (["pending"], ["show"], ["ls"], ["doctor"]):
            ran = swarm(*arguments, cwd=tmp_path, NO_COLOR="1", TERM="xterm-256color")
            assert "\x1b" not in ran.out + ran.err
    line = " ".join(PROGRAM)
    piped = subprocess.run(
        ["bash", "-o", "pipefail", "-c", f"{line} schema | head -1"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=False,
    )
    assert (piped.stdout, piped.stderr) == ("{\n", "")


def test_the_help_of_every_command_names_all_its_options() -> None:
    running = {
        name: subprocess.Popen([*PROGRAM, name, "--help"], stdout=subprocess.PIPE, text=True)
        for name in COMMANDS
    }
    told = {name: process.communicate(timeout=LIMIT)[0] for name, process in running.items()}
    for name in COMMANDS:
        command = typer.main.get_command(build_app((name, "ls" if name != "ls" else "run")))
        parameters = command.commands[name].params  # type: ignore[attr-defined]  # it is a group
        for parameter in parameters:
            wanted = parameter.opts[-1] if parameter.param_type_name == "option" else parameter.metavar
            assert wanted in told[name], f"{name}: {wanted}"
            assert parameter.help, f"{name}: {wanted} has no help"
