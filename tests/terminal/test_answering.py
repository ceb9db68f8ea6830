"""Requests are answered with single keys, and only what was allowed has an effect."""

import json
from pathlib import Path

from support.plans import bash, write_plan
from support.screens import Screen
from support.tmux import PROGRAM
from support.waiting import wait_until


def test_a_call_runs_when_y_is_pressed_and_not_before(screen: Screen, project: Path) -> None:
    write_plan(
        project,
        {
            "alpha": [bash("touch first")],
            "beta": {"needs": ["alpha"], "steps": [bash("touch second")]},
            "gamma": {"needs": ["beta"], "steps": [{"say": "done"}]},
        },
    )
    screen.start()
    shown = screen.terminal.shows("alpha", "beta", "gamma", "needs beta")
    assert "asks you" in screen.terminal.shows("asks you")
    assert "wants your approval" in screen.card("$ touch first") + shown
    assert not (project / "first").exists()
    screen.answer("y", "$ touch first")
    card = screen.card("$ touch second")
    assert str(project) in card.replace("\n", "")
    assert (project / "first").exists()
    assert not (project / "second").exists()
    screen.answer("y", "$ touch second")
    assert screen.leave() == 0
    assert (project / "second").exists()


def test_what_was_typed_before_there_was_a_screen_does_nothing(screen: Screen, project: Path) -> None:
    write_plan(project, {"alpha": [bash("touch made")]})
    (project / "gate").touch()
    waiting = "echo waits; while [ -e gate ]; do sleep 0.05; done;"
    screen.start(program=f"{waiting} {' '.join(PROGRAM)}")
    screen.terminal.until(lambda text: text.startswith("waits"))  # and not the line that says so
    screen.terminal.type("qy")
    screen.terminal.shows("qy")
    (project / "gate").unlink()
    screen.answer("y", "$ touch made")
    assert screen.leave() == 0
    assert (project / "made").exists()


def test_a_denial_keeps_the_call_from_running_and_its_message_reaches_the_worker(
    screen: Screen, project: Path
) -> None:
    write_plan(project, {"alpha": [bash("touch one")], "beta": [bash("touch two")]})
    screen.start()
    screen.terminal.shows("2 waiting")
    first = screen.card("$ touch ")
    screen.answer("n", "$ touch ")
    denied, other = ("one", "two") if "$ touch one" in first else ("two", "one")
    screen.card(f"$ touch {other}")
    screen.terminal.press("m")
    screen.terminal.shows("deny with this message")
    screen.terminal.type("yn: not here")
    screen.terminal.shows("yn: not here")
    screen.terminal.press("Enter")
    screen.terminal.shows("ended, exit 3")
    screen.terminal.press("1" if other == "one" else "2")
    transcript = screen.terminal.shows(f"⊘ Bash touch {other}")
    assert "They wrote: yn: not here" in " ".join(transcript.split())
    assert screen.leave() == 3
    assert f"touch {denied}" in screen.terminal.screen()
    assert not list(project.glob("[ot]*"))


def test_always_writes_the_rule_that_was_shown_and_the_next_alike_is_not_asked(
    screen: Screen, project: Path
) -> None:
    again = [bash("touch made"), bash("rm made"), bash("touch made")]
    write_plan(project, {"alpha": again}, permissions={"allow": ["Bash(rm made)"]})
    screen.start()
    screen.card("$ touch made")
    screen.terminal.press("a")
    shown = screen.terminal.until(lambda text: "write and allow" in text, for_seconds=0.35)
    assert not (project / ".swarm").exists()
    assert not (project / "made").exists()
    screen.terminal.press("Enter")
    assert screen.leave() == 0
    written = json.loads((project / ".swarm/settings.local.json").read_text(encoding="utf-8"))
    (rule,) = written["permissions"]["allow"]
    assert f"allow {rule}" in shown
    assert (project / "made").exists()
    (project / "made").unlink()
    screen.terminal.run("true")
    screen.start()
    assert screen.leave() == 0
    assert (project / "made").exists()


def test_tab_and_escape_move_on_and_decide_nothing(screen: Screen, project: Path) -> None:
    write_plan(project, {name: [bash(f"touch {name}")] for name in ("one", "two", "three")})
    screen.start()
    screen.terminal.shows("3 waiting")
    seen = []
    for _ in range(3):
        seen.append(screen.card().split("$ touch ")[1].split()[0])
        screen.answer("Tab")
    assert sorted(seen) == ["one", "three", "two"]
    for name in seen:
        screen.answer("Escape", f"$ touch {name}")
    screen.terminal.shows("3 put aside", "3 waiting")
    assert not list(project.glob("[ot]*"))
    screen.terminal.press("Tab")
    screen.answer("y", "$ touch")
    wait_until(lambda: len(list(project.glob("[ot]*"))) == 1)
    screen.terminal.press("C-c")
    assert screen.exit_code() == 130
    assert len(list(project.glob("[ot]*"))) == 1


def test_under_the_help_no_key_answers(screen: Screen, project: Path) -> None:
    write_plan(project, {"alpha": [bash("touch made")]})
    screen.start()
    screen.card("$ touch made")
    screen.terminal.press("?")
    screen.terminal.shows("allow it once", "deny it with a message")
    screen.terminal.press("y", "n", "a")
    screen.terminal.press("Escape")
    screen.terminal.hides("allow it once")
    screen.card("$ touch made")
    assert not (project / "made").exists()
    screen.terminal.press("C-c")
    assert screen.exit_code() == 130
