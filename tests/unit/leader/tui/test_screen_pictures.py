"""What is on the screen, as plain text."""

import unicodedata

import pytest
from rich.cells import cell_len

from swarm.ipc.messages import Preview
from swarm.leader.core.views import WorkerPhase
from swarm.leader.tui.stage import Stage
from swarm.leader.tui.widgets.transcript import TranscriptView
from swarm.leader.tui.widgets.worker_table import WorkerTable

HOSTILE = "\x1b[2J\x1b]0;x\x07\u202egnp\u200b[bold red]x[/]\r\n漢字e\u0301"
SIZES = pytest.mark.parametrize("size", [(80, 24), (200, 60), (40, 12)])


def assert_sane(screen: str, width: int) -> None:
    for line in screen.split("\n"):
        assert cell_len(line) <= width
        assert not any(unicodedata.category(character) in ("Cc", "Cf") for character in line)


@SIZES
async def test_hostile_text_is_shown_escaped_everywhere(stage: Stage, size: tuple[int, int]) -> None:
    client = stage.client
    client.change_team(name=HOSTILE, notices=(HOSTILE,))
    client.change_worker("tests", activity=HOSTILE)
    client.say("tests", HOSTILE)
    client.begin_tool("tests", "t1", HOSTILE, HOSTILE)
    client.change_tool("tests", "t1", output=HOSTILE, outcome="failed", summary=HOSTILE)
    client.notice("tests", HOSTILE, "warning")
    preview = Preview(title=HOSTILE, diff=f"+{HOSTILE}\n", paths=(HOSTILE,), note=HOSTILE)
    async with stage.run(*size):
        assert_sane(await stage.shows("\\u202egnp"), size[0])
        fields = {"why": HOSTILE, "cwd": HOSTILE, "agent": (HOSTILE,), "preview": preview}
        client.ask("tests", HOSTILE, {HOSTILE: HOSTILE}, **fields)
        assert_sane(await stage.shows("why"), size[0])
        await stage.press("end")
        assert_sane(stage.text(), size[0])


@pytest.mark.parametrize("size", [(80, 24), (200, 60)])
async def test_who_waits_for_the_person_is_on_top_with_age(stage: Stage, size: tuple[int, int]) -> None:
    stage.client.ask("release", "Bash", {"command": "make"}, asked_at=stage.now - 130)
    async with stage.run(*size):
        screen = await stage.shows("1 waiting, oldest 2m")
        rows = [line for line in screen.split("\n") if "working" in line or "asks you" in line]
        assert "release" in rows[0]
        assert "2m" in rows[0]


async def test_each_phase_has_its_word_and_restarts_are_counted(stage: Stage) -> None:
    stage.client.change_worker("tests", phase=WorkerPhase.FAILED, activity="exit 1")
    stage.client.change_worker("survey", phase=WorkerPhase.WAITING, needs=("tests",))
    stage.client.change_worker("fixer", attempt=3)
    async with stage.run(80, 24):
        screen = await stage.shows("needs tests")
        assert "✗  tests             failed" in screen
        assert "↻2" in screen


async def test_a_hundred_workers_scroll_with_the_choice(stage: Stage) -> None:
    for number in range(100):
        stage.client.add_worker(f"w{number:03}")
    async with stage.run(80, 24):
        assert "w099" not in stage.text()
        table = stage.app.screen.query_one(WorkerTable)
        table.choose("w098")
        await stage.press("down")
        assert "▌ ●  w099" in stage.text()
        table.choose("survey")
        await stage.press("k")
        assert "▌ ●  tests" in stage.text()


async def test_a_request_that_does_not_fit_says_so_and_scrolls_to_its_end(stage: Stage) -> None:
    diff = "--- a/x\n+++ b/x\n@@ -1 +1,10000 @@\n" + "".join(f"+line {n}\n" for n in range(10_000))
    preview = Preview(title="Write x", diff=diff, paths=("/project/x",))
    stage.client.ask("fixer", "Write", {"path": "/project/x", "content": "…"}, preview=preview)
    async with stage.run(80, 24):
        assert "more lines below: PgDn" in stage.text()
        await stage.press("pagedown")
        assert "above: PgUp" in stage.text()
        await stage.press("end")
        assert "+line 9999" in stage.text()
        assert "below: PgDn" not in stage.text()


@pytest.mark.parametrize(
    "size", [(40, 12), (80, 13), (80, 17), (80, 18), (109, 24), (110, 12), (112, 19), (200, 60)]
)
@pytest.mark.parametrize("notices", [0, 3])
async def test_at_every_size_the_card_says_what_is_out_of_sight(
    stage: Stage, size: tuple[int, int], notices: int
) -> None:
    stage.client.change_team(notices=("a settings file is broken",) * notices)
    stage.client.ask("fixer", "Bash", {"command": "make\n" * 200})
    async with stage.run(*size):
        assert "more lines below: PgDn" in stage.text()
        assert stage.text().split("\n")[-1].startswith(" y once")
        await stage.press("a")
        assert "more lines below: PgDn" in stage.text()
        assert "No rule can cover" in stage.text()
        await stage.press("m")
        assert "more lines below: PgDn" in stage.text()
        assert "why not, for the agent" in stage.text()
        await stage.press("escape", "end")
        assert "above: PgUp" in stage.text()


async def test_a_click_chooses_a_worker(stage: Stage) -> None:
    async with stage.run(80, 24):
        await stage.pilot.click(WorkerTable, offset=(10, 2))
        assert "▌ ●  fixer" in await stage.shows("fixer   script")


async def test_a_card_shows_folder_relative_path_and_every_field(stage: Stage) -> None:
    preview = Preview(title="Edit", diff="-a\n+b\n", paths=("/project/src/a.py", "/etc/passwd"))
    fields = {"path": "src/a.py", "old_string": "a", "new_string": "b", "replace_all": True}
    stage.client.ask("fixer", "Edit", fields, preview=preview, agent=("reviewer",), why="edits ask")
    async with stage.run(80, 24):
        screen = stage.text()
        for text in (
            " fixer/reviewer ",
            "edits ask",
            "in    /project",
            "file  src/a.py",
            "replace_all: true",
        ):
            assert text in screen
        assert "/etc/passwd (outside of the folder)" in screen


async def test_the_transcript_follows_until_it_is_scrolled_up(stage: Stage) -> None:
    for number in range(60):
        stage.client.say("tests", f"line {number}\n")
    async with stage.run(80, 24):
        await stage.shows("line 59")
        await stage.press("pageup")
        stage.client.say("tests", "line 60\nline 61\n")
        screen = await stage.shows("2 new lines below: End")
        assert "line 61" not in screen
        await stage.press("end")
        assert "below: End" not in await stage.shows("line 61")
        await stage.press("home")
        assert "line 0" in stage.text()


async def test_a_reader_stays_at_their_line_while_old_lines_fall_away(stage: Stage) -> None:
    for number in range(1990):
        stage.client.notice("tests", f"note {number}")
    async with stage.run(80, 24):
        await stage.press("pageup", "pageup")
        view = stage.app.screen.query_one(TranscriptView)
        top = view.row(view.top)
        for number in range(100):
            stage.client.notice("tests", f"more {number}")
        await stage.shows("new lines below")
        assert view.row(view.top) == top


async def test_what_was_held_back_of_a_long_transcript_comes_when_it_is_scrolled_to(stage: Stage) -> None:
    for number in range(1500):
        stage.client.notice("tests", f"note {number} of a usual length")
    async with stage.run(80, 24):
        view = stage.app.screen.query_one(TranscriptView)
        assert view.row_count() < 1000
        for _ in range(3):
            view.scroll_to_row(5)
        assert view.row_count() == 1500
        await stage.press("home")
        assert "note 0 of" in stage.text()
        await stage.press("end")
        assert "note 1499 of" in stage.text()


async def test_tools_show_state_tail_outcome_and_seconds(stage: Stage) -> None:
    stage.client.begin_tool("tests", "t1", "Bash", "pytest -q")
    stage.client.change_tool("tests", "t1", output="\n".join(f"out {n}" for n in range(30)))
    async with stage.run(80, 30):
        screen = await stage.shows("● Bash pytest -q")
        assert "22 more lines above" in screen
        stage.client.change_tool("tests", "t1", outcome="failed", summary="exit 1", seconds=2.5)
        screen = await stage.shows("✗ Bash pytest -q  2.5s")
        assert "└ exit 1" in screen
        await stage.press("o")
        assert "more lines above" not in stage.text()


async def test_a_terminal_that_is_too_small_says_so_and_takes_no_answer(stage: Stage) -> None:
    stage.client.ask("fixer", "Bash", {"command": "make"})
    async with stage.run(39, 11):
        await stage.shows("needs 40×12, has 39×11")
        await stage.press("y", "n")
        assert stage.client.answers == []
        await stage.pilot.resize_terminal(80, 24)
        await stage.shows("$ make")
        await stage.press("y")
        await stage.until(lambda: stage.client.answers)


async def test_the_layout_follows_the_size_of_the_terminal(stage: Stage) -> None:
    stage.client.say("tests", "spoken")
    async with stage.run(80, 24):
        await stage.pilot.resize_terminal(200, 60)
        await stage.until(lambda: any("working" in x and "script" in x for x in stage.text().split("\n")))
        await stage.pilot.resize_terminal(80, 24)
        await stage.until(lambda: all(cell_len(line) <= 80 for line in stage.text().split("\n")))
        await stage.shows("spoken")


async def test_the_help_shows_every_key_and_keeps_keys_from_the_card(stage: Stage) -> None:
    stage.client.ask("fixer", "Bash", {"command": "make"})
    async with stage.run(200, 60):
        await stage.press("question_mark")
        screen = await stage.shows("deny it with a message")
        assert "Ctrl-C again" in screen
        await stage.press("y", "n")
        assert stage.client.answers == []
        await stage.press("escape")
        await stage.shows("wants your approval")


async def test_without_utf_8_only_ascii_is_painted(stage: Stage) -> None:
    stage.client.say("fixer", "Ümläute 漢字")
    stage.client.ask("fixer", "Bash", {"command": "make"})
    async with stage.run(80, 24, ascii_only=True):
        assert (await stage.shows("?ml?ute ????")).isascii()


async def test_without_colour_badges_have_brackets_and_no_colour_is_painted(stage: Stage) -> None:
    stage.client.ask("fixer", "Bash", {"command": "make"})
    async with stage.run(80, 24, no_color=True):
        await stage.shows("[fixer]")
        for strip in stage.app.screen._compositor.render_strips():
            for segment in strip:
                style = segment.style
                colors = () if style is None else (style.color, style.bgcolor)
                assert all(color is None or color.is_default for color in colors)
