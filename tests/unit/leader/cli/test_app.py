"""The program as a whole: help, version, usage errors, start-up, and the one door for errors."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest
from unit.leader.cli.program import Swarm

from swarm.leader.cli import output
from swarm.leader.cli.answering import LAYERS
from swarm.leader.cli.app import COMMANDS, command_function, needed_commands
from swarm.leader.cli.door import run_behind
from swarm.leader.cli.options import LayerWord, ModeWord, OnAskWord
from swarm.leader.core.asking import OnAsk
from swarm.leader.errors import NoSession
from swarm.permissions.model import Mode

PROGRAM = [sys.executable, "-m", "swarm.leader.cli"]


def test_help_lists_every_command_with_what_it_does(swarm: Swarm) -> None:
    ran = swarm("--help")
    assert ran.code == 0
    for name in COMMANDS:
        assert f"\n  {name} " in ran.out
        assert command_function(name).__doc__, name


def test_every_command_has_help(swarm: Swarm) -> None:
    for name in COMMANDS:
        ran = swarm(name, "--help")
        assert (ran.code, ran.err) == (0, "")
        assert f"Usage: swarm {name}" in ran.out


def test_help_loads_nothing_that_only_a_run_needs() -> None:
    script = (
        "import sys\nfrom swarm.leader.cli import main\nsys.argv=['swarm','--help']\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "sys.stderr.write(' '.join(sys.modules))"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    loaded = set(ran.stderr.split())
    assert "typer" in loaded
    assert not loaded & {
        "textual",
        "rich",
        "pydantic",
        "ruamel.yaml",
        "anyio",
        "msgspec",
        "psutil",
        "asyncio",
    }


def test_a_named_command_loads_only_itself() -> None:
    assert needed_commands(["ls", "--all"]) == ["ls"]
    assert needed_commands([]) == COMMANDS
    assert needed_commands(["--help"]) == COMMANDS


def test_the_version_is_output(swarm: Swarm) -> None:
    ran = swarm("--version")
    assert (ran.code, ran.out.split()[0], ran.err) == (0, "swarm", "")


@pytest.mark.parametrize("arguments", [["lss"], ["ls", "--no-such"], ["run"], ["run", "p", "--mode", "x"]])
def test_wrong_usage_ends_with_2_and_a_message(swarm: Swarm, arguments: list[str]) -> None:
    ran = swarm(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert "Usage: swarm" in ran.err


def test_a_command_that_is_nearly_right_is_suggested(swarm: Swarm) -> None:
    assert "Did you mean 'pending'" in swarm("pendin").err


def test_the_words_of_the_options_are_those_of_the_rest_of_the_program() -> None:
    assert set(get_args(ModeWord)) == set(Mode)
    assert set(get_args(OnAskWord)) == set(get_args(OnAsk))
    assert set(get_args(LayerWord)) == set(LAYERS)


def test_completion_can_be_shown() -> None:
    # Named here, since what the program would find out itself depends on who started the tests.
    told = {**os.environ, "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    ran = subprocess.run(
        [*PROGRAM, "--show-completion", "bash"], capture_output=True, text=True, check=False, env=told
    )
    assert "complete" in ran.stdout + ran.stderr


def test_errors_of_the_leader_end_with_their_exit_code_and_text(capsys: pytest.CaptureFixture[str]) -> None:
    def fail() -> None:
        raise ExceptionGroup("from a task group", [ExceptionGroup("inner", [NoSession()])])

    assert run_behind(fail) == 2
    assert capsys.readouterr() == ("", "swarm: There is no session yet. `swarm run PLAN` starts one.\n")


def test_an_unexpected_error_is_short_and_its_trace_is_in_a_private_file(
    capsys: pytest.CaptureFixture[str], state: Path
) -> None:
    def fail() -> None:
        raise RuntimeError("odd \x1b[2J")

    assert run_behind(fail) == 1
    captured = capsys.readouterr()
    assert "RuntimeError: odd \\x1b[2J" in captured.err
    assert "Traceback" not in captured.err
    (log,) = (state / "swarm" / "errors").iterdir()
    assert str(log) in captured.err
    assert "Traceback" in log.read_text()
    assert log.stat().st_mode & 0o777 == 0o600


def test_an_unexpected_error_is_told_even_where_no_log_can_be_written(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", "/proc/nowhere")

    def fail() -> None:
        raise RuntimeError("odd")

    assert run_behind(fail) == 1
    assert "could not be written" in capsys.readouterr().err


def test_an_interrupt_ends_with_130(capsys: pytest.CaptureFixture[str]) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    assert run_behind(interrupt) == 130
    assert capsys.readouterr().err == "Interrupted.\n"


FLOOD = """
import sys
from swarm.leader.cli import output
from swarm.leader.cli.door import run_behind
sys.exit(run_behind(lambda: output.lines("x" * 100 for _ in range(100000))))
"""


def test_a_reader_that_leaves_ends_the_program_quietly() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", FLOOD], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as flood:
        assert flood.stdout is not None
        assert flood.stderr is not None
        flood.stdout.readline()
        flood.stdout.close()
        assert flood.stderr.read() == b""
    assert flood.returncode == 141


@pytest.mark.parametrize(
    ("environment", "is_terminal", "wanted"),
    [
        ({"TERM": "xterm"}, True, True),
        ({"TERM": "xterm"}, False, False),
        ({"TERM": "xterm", "NO_COLOR": "1"}, True, False),
        ({"TERM": "xterm", "NO_COLOR": ""}, True, True),
        ({"TERM": "dumb"}, True, False),
    ],
)
def test_colour_is_used_only_where_it_is_wanted(
    environment: dict[str, str], is_terminal: bool, wanted: bool
) -> None:
    assert output.colors_wanted(environment, is_terminal) is wanted


def test_a_plan_with_problems_ends_with_2_and_shows_them_all(swarm: Swarm, tmp_path: Path) -> None:
    plan = tmp_path / "plan.yaml"
    plan.write_text("version: 1\nname: x\nworkers:\n  a: {agent: scrpt}\n  b: {needs: [c], steps: []}\n")
    shown, checked, ran = (
        swarm("validate", str(plan)),
        swarm("validate", str(plan), "--json"),
        swarm("run", str(plan)),
    )
    assert (shown.code, checked.code, ran.code) == (2, 2, 2)
    problems = [json.loads(line) for line in checked.out.splitlines()]
    assert len(problems) > 1
    assert all(problem["line"] for problem in problems)
    assert f"{plan}:4:" in shown.out
    assert ran.out == ""
    assert f"{plan}:4:" in ran.err


def test_a_sound_plan_is_said_to_be(swarm: Swarm, tmp_path: Path) -> None:
    plan = tmp_path / "plan.yaml"
    plan.write_text("version: 1\nname: x\nworkers:\n  a: {agent: script, steps: [{bash: 'true'}]}\n")
    assert swarm("validate", str(plan)).code == 0
    assert swarm("validate", str(plan), "--json").out == ""


def test_the_schema_is_json(swarm: Swarm) -> None:
    assert json.loads(swarm("schema").out)["$schema"].startswith("https://json-schema.org/")


def test_the_doctor_names_every_subject_and_how_to_mend_it(swarm: Swarm) -> None:
    ran = swarm("doctor", "--json")
    findings = {finding["name"]: finding for finding in map(json.loads, ran.out.splitlines())}
    assert set(findings) >= {"python", "swarm", "git", "bash", "rg", "terminal", "state folder", "uvloop"}
    assert set(findings) >= {"mailbox", "pidfd", "subreaper"}
    assert "free" in findings["state folder"]["found"]
    assert not [name for name, finding in findings.items() if finding["found"] == "usable"]
    assert all(finding["usable"] or finding["advice"] for finding in findings.values())
    assert findings["python"]["usable"]
    for name in findings:
        assert f"\n{name}" in "\n" + swarm("doctor").out


def test_the_doctor_ends_with_1_where_no_session_could_be_kept(
    swarm: Swarm, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", "/proc/nowhere")
    ran = swarm("doctor")
    assert ran.code == 1
    assert "XDG_STATE_HOME" in ran.out


def test_without_a_place_for_the_session_nothing_is_started(
    swarm: Swarm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = tmp_path / "plan.yaml"
    plan.write_text("version: 1\nname: x\nworkers:\n  a: {agent: script, steps: [{bash: 'true'}]}\n")
    monkeypatch.setenv("XDG_STATE_HOME", "/proc/nowhere")
    ran = swarm("run", str(plan), "--headless")
    assert ran.code == 1
    assert "XDG_STATE_HOME" in ran.err


WITHOUT_STREAMS = """
import sys
from swarm.leader.cli import output
sys.exit(output.is_terminal(sys.stdin, sys.stdout))
"""


def test_a_program_without_stdin_and_stdout_is_on_no_terminal() -> None:
    command = ["sh", "-c", '"$0" -c "$1" <&- >&-', sys.executable, WITHOUT_STREAMS]
    assert subprocess.run(command, check=False).returncode == 0


def test_a_card_is_coloured_on_a_terminal_and_plain_elsewhere(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    card = [(("r1", "bold"), (" make", "")), ()]
    output.painted(card)
    assert capsys.readouterr().out == "r1 make\n\n"
    monkeypatch.setattr(output, "colors_wanted", lambda *_: True)
    output.painted(card)
    assert capsys.readouterr().out == "\x1b[1mr1\x1b[0m make\n\n"
