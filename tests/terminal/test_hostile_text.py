"""Nothing that a worker names, runs or prints reaches the terminal as anything but visible text."""

import re
from pathlib import Path

from rich.cells import cell_len

from support.plans import bash, write_plan
from support.screens import Screen

CONTROLS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
"""What may not be on the screen as it is: all controls but line feeds, and what hides or reorders text."""

TITLE = "\x1b]0;FORGED\x07"
CLEARS = "\x1b[2J\x1b[H\x1b[?1049l\x1b[31m"
REORDERS = "\u202egnp.exe\u2066"
MARKUP = "[bold red]x[/] [link=https://example.org]y[/link] {{z}}"
WIDE = "日本語テキスト 한국어 👩‍👩‍👧 🇩🇪 e\u0301\u0302"
LONG = "L" * 5000
HOSTILE = (TITLE, CLEARS, REORDERS, MARKUP, WIDE)


def assert_harmless(screen: Screen) -> None:
    """Nothing on the screen is more than text, and the program still has the whole terminal."""
    shown = screen.terminal.screen()
    assert not CONTROLS.findall(shown), ascii(shown)
    assert "\x1b]" not in screen.terminal.painted()
    assert screen.terminal.tmux("display-message", "-p", "#{pane_title}").strip() != "FORGED"
    assert "the alternate screen" in screen.terminal.modes_on()
    assert screen.terminal.painted().count("\n") == shown.count("\n")


def divider_columns(shown: str) -> set[int]:
    """Give where the line between table and transcript stands, in cells, over all rows that have it."""
    return {cell_len(line.split("│")[0]) for line in shown.split("\n")[1:] if "│" in line}


def test_a_hostile_command_is_shown_escaped_on_the_card_and_columns_stay_aligned(
    screen: Screen, project: Path
) -> None:
    screen.terminal.resize(160, 45)
    write_plan(project, {"alpha": [bash(f"touch made '{' '.join(HOSTILE)}'")]}, name=f"{WIDE} {MARKUP}")
    screen.start()
    lines = screen.card("\\x1b]0;FORGED\\x07", "\\u202egnp.exe").split("\n")
    card = "".join(line.strip() for line in lines)
    assert "\\x1b[2J\\x1b[H" in card
    assert "[bold red]x[/]" in card
    assert "日本語" in card
    assert_harmless(screen)
    shown = screen.terminal.screen()
    assert "日本語" in shown.split("\n")[0]
    assert len(divider_columns(shown)) == 1, shown
    screen.answer("n", "FORGED")
    screen.terminal.shows("ended, exit 3")
    assert_harmless(screen)
    assert screen.leave() == 3
    assert not CONTROLS.findall(screen.terminal.screen())
    assert screen.terminal.tmux("display-message", "-p", "#{pane_title}").strip() != "FORGED"


def test_hostile_output_and_file_names_are_shown_escaped_in_the_transcript(
    screen: Screen, project: Path
) -> None:
    screen.terminal.resize(160, 45)
    (project / "hostile.txt").write_text("\n".join((*HOSTILE, LONG, "the end")), encoding="utf-8")
    (project / f"name{CLEARS.replace('/', '')}{REORDERS}.odd").touch()
    steps = [bash("cat hostile.txt"), bash("ls"), {"say": "\n".join(HOSTILE)}]
    workers = {"alpha": [*steps, bash("touch made")], "beta": [bash("touch made")]}
    write_plan(project, workers, permissions={"allow": ["Bash(ls)", "Bash(cat:*)"]})
    screen.start()
    while "alpha" not in screen.card("$ touch made"):
        screen.answer("Tab")
    screen.terminal.press("w")
    shown = screen.terminal.shows("alpha   script", "[bold red]x[/]", "\\x1b]0;FORGED")
    assert len(divider_columns(shown)) == 1, shown
    assert_harmless(screen)
    screen.terminal.press("Home")
    shown = screen.terminal.shows("name\\x1b[2J", "\\u202egnp.exe")
    assert len(divider_columns(shown)) == 1, shown
    assert_harmless(screen)
    screen.terminal.press("o")
    screen.terminal.press("Home")
    whole = screen.terminal.shows("cat hostile.txt", "\\x1b[2J\\x1b[H")
    assert len(divider_columns(whole)) == 1, whole
    assert_harmless(screen)
    screen.terminal.press("C-c")
    assert screen.exit_code() == 130
    assert not CONTROLS.findall(screen.terminal.screen())


def test_a_hostile_file_name_is_shown_escaped_on_the_card(screen: Screen, project: Path) -> None:
    path = f"new{TITLE.replace('/', '')}{REORDERS}[red].txt"
    write_plan(project, {"alpha": [{"write": {"path": path, "content": f"{CLEARS}\n{MARKUP}\n{WIDE}\n"}}]})
    screen.start()
    card = screen.card("new\\x1b]0;FORGED\\x07\\u202egnp.exe", "+[bold red]x[/]")
    assert "+\\x1b[2J\\x1b[H" in card
    assert_harmless(screen)
    screen.answer("y", "FORGED")
    assert screen.leave() == 0
    assert (project / path).exists()
