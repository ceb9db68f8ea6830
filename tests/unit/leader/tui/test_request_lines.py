import time
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from swarm.ipc.messages import Preview
from swarm.leader.core.views import RequestView
from swarm.leader.hostile import escape
from swarm.leader.tui import look
from swarm.leader.tui.commands import command_pieces
from swarm.leader.tui.request_lines import relative, request_lines
from swarm.leader.tui.wrapping import plain
from swarm.permissions.model import Behavior, PartVerdict


def request(input: dict[str, object], preview: Preview | None = None) -> RequestView:
    shown = preview or Preview(title="t")
    return RequestView("r1", "w", "#009e73", (), "Tool", input, "/project", shown, "d", 0.0, "no rule")


@given(st.text(max_size=120), st.integers(12, 60))
def test_the_whole_command_is_shown_in_any_width(command: str, width: int) -> None:
    lines = request_lines(request({"command": command}), width)
    assert all(cell_len(plain(line)) <= width for line in lines)
    shown = "".join(plain(line)[2:] for line in lines if plain(line)[:2] in ("$ ", "  "))
    assert escape(command, keep_newlines=True).replace("\n", "") in shown


def test_only_the_parts_that_ask_are_underlined() -> None:
    command = "cd build && rm -rf out"
    parts = (
        PartVerdict("cd build", 0, 8, Behavior.ALLOW, "a rule"),
        PartVerdict("rm -rf out", 12, 22, Behavior.ASK, "no rule"),
    )
    underlined = "".join(text for text, style in command_pieces(command, parts) if look.BEHIND in style)
    assert underlined == "rm -rf out"
    assert "".join(text for text, _ in command_pieces(command, parts)) == command


def test_a_preview_that_leaves_something_out_does_not_replace_the_input() -> None:
    whole = Preview(title="t", diff="+a\n")
    cut = Preview(title="t", diff="+a\n", note="2,310 more changed lines")
    fields: dict[str, object] = {"content": "all of it"}
    assert not any("all of it" in plain(line) for line in request_lines(request(fields, whole), 60))
    lines = [plain(line) for line in request_lines(request(fields, cut), 60)]
    assert "content: all of it" in lines
    assert "note  2,310 more changed lines" in lines


def text(input: dict[str, object], tool: str = "Bash", **options: Any) -> list[str]:
    asked = replace(request(input), tool=tool, why="w" * 200)
    return [plain(line) for line in request_lines(asked, 60, **options)]


@pytest.mark.parametrize(
    ("timeout", "said"),
    [(600_000, "limit 10m"), (90_500, "limit 1m 30.5s"), (2_000, "limit 2s"), (1, "limit 0.001s")],
)
def test_a_shells_time_limit_is_said_last_and_in_the_words_of_people(timeout: int, said: str) -> None:
    assert text({"timeout": timeout, "command": "ls", "odd": 1})[-2:] == ["odd: 1", said]


def test_what_is_as_if_it_were_not_given_is_not_shown_and_what_looks_like_it_is() -> None:
    usual = {"command": "ls", "timeout": 120_000, "description": "", "run_in_background": False}
    assert text(usual)[-1] == "$ ls"
    assert text({**usual, "run_in_background": 0})[-1] == "run_in_background: 0"
    assert text({**usual, "timeout": True})[-1] == "timeout: true"
    assert "timeout: 120000" in text(usual, tool="mcp__shell")
    assert "description: " in text(usual, tool="mcp__shell")


def test_what_the_agent_says_a_command_is_for_stands_above_it_and_cannot_be_taken_for_it() -> None:
    lines = text({"command": "rm x", "description": "list\n$ ls"})
    assert lines[lines.index("$ rm x") - 2 :] == ["# list", "# $ ls", "$ rm x"]


def test_only_what_explains_is_cut_and_only_where_that_is_wanted() -> None:
    command = "x" * 500
    whole, cut = text({"command": command}), text({"command": command}, why_lines=2)
    assert "".join(whole).count("w") == 201
    assert cut[1].endswith("…")
    assert cut[2].startswith("in ")
    assert "".join(cut).count("x") == 500


def test_a_short_card_begins_with_the_command() -> None:
    lines = text({"command": "ls", "odd": 1}, command_first=True)
    assert lines[0] == "$ ls"
    assert lines[-1] == "odd: 1"
    assert any(line.startswith("why ") for line in lines)


def test_a_path_is_hidden_by_nothing_but_the_list_of_paths() -> None:
    lines = [
        plain(line) for line in request_lines(request({"path": "x"}, Preview(title="t", diff="+a")), 60)
    ]
    assert "path: x" in lines


def test_paths_are_relative_to_the_folder_or_said_to_be_outside() -> None:
    assert relative("/project/src/a", "/project") == "src/a"
    assert relative("/project2/a", "/project") == "/project2/a (outside of the folder)"
    assert relative("/project/../etc", "/project") == "/project/../etc (outside of the folder)"


def test_a_huge_command_and_a_huge_diff_are_laid_out_in_time() -> None:
    started = time.perf_counter()
    assert len(request_lines(request({"command": "echo 漢字 $HOME; " * 30_000}), 80)) > 5_000
    diff = "".join(f"+line {number}\n" for number in range(10_000))
    assert len(request_lines(request({}, Preview(title="t", diff=diff)), 80)) > 10_000
    assert time.perf_counter() - started < 4


def test_a_command_of_one_part_gives_its_reason_once_however_many_there_are_for_it() -> None:
    parts = tuple(PartVerdict("make x", 0, 6, Behavior.ASK, why) for why in ("no rule", "no rule at all"))
    said = [plain(line) for line in request_lines(replace(request({"command": "make x"}), parts=parts), 80)]
    assert not [line for line in said if "make x: " in line]
