"""How explain is shown: marks below the right cells, hostile text made harmless."""

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from swarm.leader.cli.explaining import explanation_lines, explanation_object
from swarm.leader.cli.underlines import underlined
from swarm.leader.rules.explain import explain
from swarm.leader.rules.in_force import InForce
from swarm.permissions.files import MemoryFiles
from swarm.permissions.model import Behavior, Folders, Layer, Mode, Request, RuleText, Source

RULES = (
    RuleText(Behavior.DENY, "Bash(rm:*)", Source(Layer.PROJECT, "s.json", 1, 1, "/w")),
    RuleText(Behavior.ALLOW, "Bash(ls:*)", Source(Layer.PROJECT, "s.json", 2, 1, "/w")),
)


def shown(command: str, width: int = 80) -> list[str]:
    request = Request("Bash", {"command": command}, "/w")
    folders = Folders(Path("/home/dev"), Path("/w"))
    found = explain(request, RULES, Mode.DEFAULT, folders, MemoryFiles({}))
    assert explanation_object(found, InForce(RULES))["why"]
    lines = explanation_lines(found, InForce(RULES), width)
    return ["".join(text for text, _ in line) for line in lines]


def marks(command: str, *spans: tuple[int, int], width: int = 80) -> list[str]:
    return ["".join(text for text, _ in line) for line in underlined(command, spans, width, "")]


def test_wide_characters_are_marked_by_their_cells() -> None:
    assert marks("日本 rm", (3, 5)) == ["    日本 rm", "         ~~"]


def test_marks_go_over_several_lines_and_overlap() -> None:
    assert marks("ab\ncd", (1, 4)) == ["    ab", "     ~", "    cd", "    ~"]
    assert marks("abcd", (0, 2), (1, 3)) == ["    abcd", "    ~~~"]


def test_a_long_line_is_cut_around_what_is_marked() -> None:
    line, below = marks("x" * 500 + "rm" + "y" * 500, (500, 502), width=60)
    assert below.index("~~") == line.index("rm")
    assert cell_len(line) < 80


def test_of_many_lines_those_without_marks_are_left_out() -> None:
    lines = marks("\n".join(["x"] * 200 + ["rm"]), (400, 402))
    assert len(lines) < 50
    assert lines[-1].strip() == "~~"


def test_each_stretch_of_a_command_is_told_once() -> None:
    text = "\n".join(shown("ls; echo $(date)"))
    assert text.count("  ask   $(date)") == 1


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=60), st.integers(1, 120))
def test_nothing_of_a_command_reaches_the_terminal_as_it_is(command: str, width: int) -> None:
    for line in shown(command, width):
        assert line.isprintable()
