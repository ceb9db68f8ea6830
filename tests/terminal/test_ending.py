"""However the program ends, the terminal is as it was, and no process is left."""

import signal
import sys
from pathlib import Path

import psutil
import pytest

from support.plans import bash, write_plan
from support.programs import swarm
from support.screens import READ, Screen, is_alive
from support.tmux import PROGRAM, PROMPT, open_terminal
from support.waiting import wait_until

STUBBORN = "#!/bin/sh\ntrap '' INT TERM HUP; while :; do sleep 60; done\n"


WITHIN = 10.0
"""Seconds in which no process of a killed leader may be left; a stubborn one needs most of it."""


@pytest.fixture
def running(screen: Screen, project: Path) -> tuple[Screen, list[psutil.Process], str]:
    """A run with a request on its card and a command under way; its processes; the terminal before it."""
    program = project / "stubborn"
    program.write_text(STUBBORN, encoding="utf-8")
    program.chmod(0o700)
    write_plan(
        project,
        {"asking": [bash("touch made")], "busy": [bash("./stubborn")]},
        permissions={"allow": ["Bash(./stubborn)"]},
    )
    before = screen.terminal.run("stty -a")
    screen.start()
    screen.card("$ touch made")
    leader = screen.leader()
    wait_until(lambda: any(process.name() == "sleep" for process in leader.children(recursive=True)))
    return screen, [leader, *leader.children(recursive=True)], before


def assert_sane(screen: Screen, before: str) -> None:
    """The terminal is as the shell had it before."""
    assert screen.terminal.modes_on() == set()
    assert not screen.terminal.pastes_in_brackets()
    assert screen.terminal.run("stty -a") == before


def test_what_looks_for_bracketed_paste_would_see_it(screen: Screen) -> None:
    screen.terminal.run(r"printf '\033[?2004h\033[?1049h\033[?25l\033[?1003h\033[?1006h'")
    assert screen.terminal.pastes_in_brackets()
    assert {"the alternate screen", "a hidden cursor", "mouse reports"} <= screen.terminal.modes_on()


def test_one_interrupt_stops_in_good_order_and_a_summary_is_left_on_the_screen(
    screen: Screen, project: Path
) -> None:
    write_plan(
        project, {"asking": [bash("touch made")], "later": {"needs": ["asking"], "steps": [{"say": "x"}]}}
    )
    before = screen.terminal.run("stty -a")
    screen.start()
    screen.card("$ touch made")
    tree = [screen.leader(), *screen.leader().children(recursive=True)]
    screen.terminal.press("C-c")
    assert screen.exit_code() == 130
    assert "Exit 130: the run was interrupted" in screen.terminal.screen()
    assert not [process for process in tree if is_alive(process)]
    assert not (project / "made").exists()
    assert_sane(screen, before)


def test_q_asks_once_before_it_stops_a_run_at_work(screen: Screen, project: Path) -> None:
    write_plan(project, {"asking": [bash("touch made")]})
    before = screen.terminal.run("stty -a")
    screen.start()
    screen.card("$ touch made")
    screen.terminal.press("q")
    screen.terminal.shows("Stop the whole team?")
    screen.terminal.press("Escape")
    screen.card("$ touch made")
    screen.terminal.press("q")
    screen.terminal.until(lambda text: "Stop the whole team?" in text, for_seconds=READ)
    screen.terminal.press("q")
    assert screen.exit_code() == 130
    assert not (project / "made").exists()
    assert_sane(screen, before)


def test_a_signal_to_go_on_for_what_goes_on_changes_nothing(screen: Screen, project: Path) -> None:
    write_plan(project, {"asking": [bash("touch made")]})
    before = screen.terminal.run("stty -a")
    screen.start()
    screen.card("$ touch made")
    screen.leader().send_signal(signal.SIGCONT)
    screen.answer("y", "$ touch made")
    assert screen.leave() == 0
    assert_sane(screen, before)


def test_a_run_that_was_put_in_the_background_is_brought_back_and_answered(
    screen: Screen, project: Path
) -> None:
    write_plan(project, {"asking": [bash("touch made")]})
    before = screen.terminal.run("stty -a")
    screen.start()
    screen.card("$ touch made")
    screen.terminal.press("C-z")
    screen.terminal.shows("Stopped")
    assert_sane(screen, before)
    screen.terminal.type("fg")
    screen.terminal.press("Enter")
    screen.answer("y", "$ touch made")
    screen.terminal.shows("ended, exit 0")
    screen.terminal.press("q")
    screen.terminal.shows("Exit 0")
    assert (project / "made").exists()
    assert_sane(screen, before)


def test_two_interrupts_end_what_would_not_stop_at_once(
    running: tuple[Screen, list[psutil.Process], str], project: Path
) -> None:
    screen, tree, before = running
    screen.terminal.press("C-c")
    screen.terminal.shows("Ctrl-C again to end at once")
    screen.terminal.press("C-c")
    assert screen.exit_code() == 130
    assert not [process for process in tree if is_alive(process)]
    assert "Exit 130" in screen.terminal.screen()
    assert not (project / "made").exists()
    assert_sane(screen, before)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP], ids=lambda number: number.name)
def test_a_signal_stops_the_run_and_gives_the_terminal_back(
    running: tuple[Screen, list[psutil.Process], str], project: Path, number: signal.Signals
) -> None:
    screen, tree, before = running
    tree[0].send_signal(number)
    assert screen.exit_code() == 130
    assert not [process for process in tree if is_alive(process)]
    assert not (project / "made").exists()
    assert_sane(screen, before)


def test_a_run_outlives_its_terminal_and_can_be_answered_from_elsewhere(
    screen: Screen, project: Path
) -> None:
    write_plan(project, {"asking": [bash("touch made")]})
    screen.start()
    screen.card("$ touch made")
    leader = screen.leader()
    screen.terminal.tmux("kill-session")
    (asked,) = swarm("pending", "--json", cwd=project).objects()
    assert is_alive(leader)
    assert swarm("approve", "r1", "--digest", asked["digest"][:12], cwd=project).code == 0
    wait_until(lambda: not is_alive(leader))
    assert (project / "made").exists()


def test_a_run_that_lost_its_terminal_is_seen_and_answered_on_another(
    screen: Screen, project: Path
) -> None:
    write_plan(project, {"asking": [bash("touch made"), bash("touch more")]})
    screen.start()
    screen.card("$ touch made")
    leader = screen.leader()
    screen.terminal.tmux("kill-session")
    with open_terminal(project) as terminal:
        other = Screen(terminal)
        before = terminal.run("stty -a")
        other.start(command="resume")
        other.answer("y", "$ touch made")
        other.card("$ touch more")
        assert (project / "made").exists()
        terminal.shows("led elsewhere")
        terminal.press("q")
        assert other.exit_code() == 0
        assert "goes on; to see it again: swarm resume" in terminal.screen()
        assert is_alive(leader)
        assert_sane(other, before)
        other.start(command="resume")
        other.answer("y", "$ touch more")
        assert other.leave() == 0
        assert (project / "more").exists()
        wait_until(lambda: not is_alive(leader))
        assert_sane(other, before)


def test_a_second_screen_that_is_interrupted_or_closed_leaves_the_run_alone(
    screen: Screen, project: Path
) -> None:
    write_plan(project, {"asking": [bash("touch made")]})
    screen.start()
    screen.card("$ touch made")
    with open_terminal(project) as terminal:
        other = Screen(terminal)
        other.start(command="resume")
        other.card("$ touch made")
        terminal.press("C-c")
        assert other.exit_code() == 0
        other.start(command="resume")
        other.card("$ touch made")
        viewer = other.leader()
        terminal.tmux("kill-session")
        wait_until(lambda: not is_alive(viewer))
    screen.answer("y", "$ touch made")
    assert screen.leave() == 0
    assert (project / "made").exists()


def test_a_run_without_its_terminal_still_ends_in_good_order(
    running: tuple[Screen, list[psutil.Process], str], project: Path
) -> None:
    screen, tree, _ = running
    screen.terminal.tmux("kill-session")
    tree[0].send_signal(signal.SIGTERM)
    wait_until(lambda: not [process for process in tree if is_alive(process)])
    assert not (project / "made").exists()


def test_a_killed_leader_leaves_a_terminal_in_order_with_a_hint_by_which_its_run_is_resumed(
    running: tuple[Screen, list[psutil.Process], str], project: Path
) -> None:
    screen, tree, before = running
    tree[0].kill()
    screen.terminal.shows("The leader was killed; go on: swarm resume")
    wait_until(lambda: not screen.terminal.modes_on())
    screen.terminal.press("Enter")
    screen.terminal.shows(PROMPT.strip())
    assert_sane(screen, before)
    assert not (project / "made").exists()
    screen.start(command="resume")
    screen.answer("y", "$ touch made")
    wait_until((project / "made").exists)
    screen.terminal.press("C-c")
    screen.terminal.shows("Ctrl-C again to end at once")
    screen.terminal.press("C-c")
    assert screen.exit_code() == 130
    assert not [process for process in tree if is_alive(process)]
    assert_sane(screen, before)


BROKEN_SCREEN = """
import sys, pathlib
from swarm.leader.tui.widgets.header import Header

whole = Header.render

def render(header):
    if pathlib.Path("broken").exists():
        raise RuntimeError("a widget that cannot paint")
    return whole(header)

Header.render = render
from swarm.leader.cli import main

main()
"""


def test_an_error_of_the_screen_gives_the_terminal_back_and_the_run_goes_on(
    screen: Screen, project: Path
) -> None:
    (project / "broken_screen.py").write_text(BROKEN_SCREEN, encoding="utf-8")
    write_plan(project, {"asking": [bash("touch made")]})
    before = screen.terminal.run("stty -a")
    screen.start(program=f"{sys.executable} -E -P broken_screen.py")
    screen.card("$ touch made")
    (project / "broken").touch()
    told = screen.terminal.shows("RuntimeError: a widget that cannot paint", "goes on without its screen")
    assert "Traceback" not in told
    assert screen.terminal.modes_on() == set()
    assert is_alive(screen.leader())
    screen.terminal.press("C-c")
    assert screen.exit_code() == 130
    assert not (project / "made").exists()
    assert_sane(screen, before)
    assert PROMPT.strip() in screen.terminal.screen()


def test_on_a_terminal_that_only_prints_lines_the_run_waits_for_another_shell(
    screen: Screen, project: Path
) -> None:
    write_plan(project, {"asking": [bash("touch made")]})
    screen.start(program=f"TERM=dumb {' '.join(PROGRAM)}")
    screen.terminal.until(lambda text: "touch made" in text and "asking" in text)
    (asked,) = swarm("pending", "--json", cwd=project).objects()
    assert swarm("approve", "r1", "--digest", asked["digest"][:12], cwd=project).code == 0
    assert "Exit 0" in screen.end()
    assert (project / "made").exists()
