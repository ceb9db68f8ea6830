"""What is said of a plan that cannot be run: everything at once, each with its place."""

from collections.abc import Callable
from pathlib import Path

import pytest

from swarm.leader.plan.errors import PlanInvalid, Problem
from swarm.leader.plan.load import check_plan, load_plan

Check = Callable[[str], list[Problem]]


@pytest.fixture
def check(tmp_path: Path) -> Check:
    def write_and_check(text: str) -> list[Problem]:
        file = tmp_path / "plan.yaml"
        file.write_text(text, encoding="utf-8")
        return check_plan(file)

    return write_and_check


HEAD = "version: 1\nworkers:\n"
STEPS = "steps: [{say: hi}]"

CASES = {
    "an unknown key": ("version: 1\nnam: x\nworkers: {a: {@}}\n", (2, 1), "'nam'", "name"),
    "an unknown key of a worker": (HEAD + "  a: {stps: [], @}\n", (3, 7), "'stps'", "steps"),
    "an unknown key of a step": (HEAD + "  a: {steps: [{bsh: ls}]}\n", (3, 16), "'bsh'", "bash"),
    "an unknown key within an action": (
        HEAD + "  a:\n    steps:\n      - write: {pth: x, path: y, content: z}\n",
        (5, 17),
        "'pth'",
        "path",
    ),
    "a missing version": ("workers: {a: {@}}\n", (1, 1), "'version'", "version: 1"),
    "another version": ("version: 2\nworkers: {a: {@}}\n", (1, 10), "2", "1"),
    "an unknown mode": (
        "version: 1\npermissions: {mode: acceptEdit}\nworkers: {a: {@}}\n",
        (2, 21),
        "acceptEdit",
        "acceptEdits",
    ),
    "no workers": ("version: 1\n", (1, 1), "no workers", "workers:"),
    "workers as a list": ("version: 1\nworkers: [a]\n", (2, 1), "a list", "NAME"),
    "a plan that is a list": ("- a\n", (1, 1), "a list", "version: 1"),
    "an empty worker": (HEAD + "  a:\n", (3, 3), "empty", "steps"),
    "a reserved name": (HEAD + "  leader: {@}\n", (3, 3), "'leader'", "letters"),
    "a name for all": (HEAD + "  '*': {@}\n", (3, 3), "'*'", "letters"),
    "a long name": (HEAD + "  " + "x" * 41 + ": {@}\n", (3, 3), "xxx", "40"),
    "an unknown need": (
        HEAD + "  tests: {@}\n  b: {needs: [tets], @}\n",
        (4, 15),
        "'tets'",
        "tests",
    ),
    "a need of itself": (HEAD + "  a: {needs: [a], @}\n", (3, 15), "itself", "Remove"),
    "a need said twice": (
        HEAD + "  a: {@}\n  b: {needs: [a, a], @}\n",
        (4, 18),
        "second",
        "Keep",
    ),
    "a reference to an unknown worker": (
        HEAD + "  tests: {@}\n  b: {needs: [tests], steps: [{say: 'x ${tasks.tsts.result}'}]}\n",
        (4, 40),
        "'tsts'",
        "tests",
    ),
    "a reference to a worker that is not awaited": (
        HEAD + "  a: {@}\n  b: {steps: [{say: '${tasks.a.result}'}]}\n",
        (4, 22),
        "not there yet",
        "`needs`",
    ),
    "a reference to a later step": (
        HEAD + "  a:\n    steps:\n      - say: ${steps.x.output}\n      - {say: hi, id: x}\n",
        (5, 14),
        "no earlier step",
        "before it",
    ),
    "a reference within quotes of a command": (
        HEAD
        + "  a: {@}\n  b:\n    needs: [a]\n    steps:\n      - bash: |\n          true\n"
        + "          echo '${tasks.a.result}'\n",
        (9, 17),
        "inside quotes",
        "variable",
    ),
    "a malformed reference": (HEAD + "  a: {steps: [{say: '${nope}'}]}\n", (3, 22), "${nope}", "$${"),
    "a step with two actions": (
        HEAD + "  a: {steps: [{say: x, bash: ls}]}\n",
        (3, 15),
        "several",
        "exactly one",
    ),
    "a step without action": (HEAD + "  a: {steps: [{name: x}]}\n", (3, 15), "nothing", "exactly one"),
    "a truth value for a command": (HEAD + "  a: {steps: [{bash: true}]}\n", (3, 22), "text", "quotes"),
    "a number for a text": (HEAD + "  a: {steps: [{say: 5}]}\n", (3, 21), "found 5", "quotes"),
    "two steps of one id": (
        HEAD + "  a: {steps: [{say: x, id: i}, {say: y, id: i}]}\n",
        (3, 45),
        "'i'",
        "",
    ),
    "a message to nobody": (
        HEAD + "  tests: {steps: [{message: {to: test, text: x}}]}\n",
        (3, 34),
        "'test'",
        "tests",
    ),
    "an agent that is not there yet": (
        HEAD + "  a: {agent: claude, prompt: x}\n",
        (3, 14),
        "claude is not available",
        "script",
    ),
    "a long form of such an agent": (
        HEAD + "  a: {agent: {acp: [x]}, prompt: x}\n",
        (3, 14),
        "acp is not available",
        "script",
    ),
    "an unknown agent": (HEAD + "  a: {agent: scrpt, @}\n", (3, 14), "'scrpt'", "script"),
    "a default agent that is not there yet": (
        "version: 1\ndefaults: {agent: codex}\nworkers: {a: {prompt: x}, b: {prompt: y}}\n",
        (2, 19),
        "codex is not available",
        "script",
    ),
    "no agent at all": (HEAD + "  a: {prompt: x}\n", (3, 3), "no agent", "script"),
    "a script without steps": (HEAD + "  a: {agent: script}\n", (3, 3), "no steps", "steps:"),
    "a prompt for a script": (HEAD + "  a: {prompt: x, @}\n", (3, 15), "no prompt", "steps"),
    "a missing folder": (
        HEAD + "  a: {cwd: nowhere, @}\n",
        (3, 12),
        "does not exist",
        "plan's folder",
    ),
    "a file as a folder": (
        HEAD + "  a: {cwd: plan.yaml, @}\n",
        (3, 12),
        "not a folder",
        "plan's folder",
    ),
    "a bad variable": (HEAD + "  a: {env: {1A: x}, @}\n", (3, 13), "'1A'", "letters"),
    "an unknown colour": (HEAD + "  a: {color: gren, @}\n", (3, 14), "'gren'", "green"),
    "a worktree": (HEAD + "  a: {isolation: worktree, @}\n", (3, 18), "not available", "none"),
    "a bad duration": (HEAD + "  a: {timeout: 5x, @}\n", (3, 16), "'5x'", "30m"),
    "no time at all": (HEAD + "  a: {timeout: 0, @}\n", (3, 16), "more than nothing", "30m"),
    "too many retries": (HEAD + "  a: {retries: 1000, @}\n", (3, 16), "1000", "100"),
    "a rule that cannot be read": (
        "version: 1\npermissions: {allow: ['Bash(']}\nworkers: {a: {@}}\n",
        (2, 29),
        "'Bash('",
        "",
    ),
    "a rule of a worker that cannot be read": (
        HEAD + "  a: {permissions: {deny: [Bash(]}, @}\n",
        (3, 33),
        "'Bash('",
        "",
    ),
}
"""Plans with one fault each; @ stands for sound steps. Then the place, what is found, what to write."""


@pytest.mark.parametrize("name", CASES)
def test_each_problem_is_told_with_its_place_and_what_to_write(check: Check, name: str) -> None:
    text, place, found, advice = CASES[name]
    problems = check(text.replace("@", STEPS))
    assert len(problems) == 1, [str(problem) for problem in problems]
    (problem,) = problems
    assert (problem.line, problem.column) == place, str(problem)
    assert found in problem.text
    assert advice in f"{problem.text} {problem.expected}"


def test_a_cycle_is_printed_from_the_worker_that_stands_first(check: Check) -> None:
    text = HEAD + "".join(
        f"  {name}: {{needs: [{need}], {STEPS}}}\n" for name, need in ("ac", "ba", "cb", "da", "ee")
    )
    cycle, own = check(text)
    assert "a needs c needs b needs a" in cycle.text
    assert (cycle.line, cycle.column) == (3, 7)
    assert "itself" in own.text


def test_one_bad_part_hides_no_other(check: Check) -> None:
    problems = check(
        "version: 1\n"
        "permissions: {mode: nope, allow: ['Bash(']}\n"
        "workers:\n"
        "  a: {cwd: nowhere, env: {B: 1}, steps: [{bsh: x}, {say: '${steps.z.output}'}]}\n"
        "  b: {needs: [c], color: grey5, steps: 5}\n"
    )
    assert [(problem.line, problem.column) for problem in problems] == [
        (2, 21), (2, 41), (4, 12), (4, 30), (4, 43), (4, 59), (5, 15), (5, 26), (5, 40),
    ]  # fmt: skip


def test_a_broken_step_does_not_make_references_to_it_wrong(check: Check) -> None:
    problems = check(HEAD + "  a: {steps: [{bsh: x, id: one}, {say: '${steps.one.output}'}]}\n")
    assert [problem.text for problem in problems] == ["The key 'bsh' is unknown here. Did you mean bash?"]


def test_a_worker_may_use_what_it_waits_for_through_others(check: Check) -> None:
    assert not check(
        HEAD + f"  a: {{{STEPS}}}\n  b: {{needs: [a], {STEPS}}}\n"
        "  c: {needs: [b], steps: [{say: '${tasks.a.result}'}]}\n"
    )


def test_the_error_shows_the_line_with_a_caret_and_ends_with_code_2(tmp_path: Path) -> None:
    file = tmp_path / "plan.yaml"
    file.write_text("version: 1\nworkers:\n  a: {agnt: script, steps: [{say: hi}]}\n", encoding="utf-8")
    with pytest.raises(PlanInvalid) as raised:
        load_plan(file)
    assert raised.value.exit_code == 2
    assert str(raised.value).splitlines() == [
        f"{file}:3:7: The key 'agnt' is unknown here. Did you mean agent?",
        "     3 |   a: {agnt: script, steps: [{say: hi}]}",
        "       |       ^",
        "1 problem: nothing was started.",
    ]


def test_what_is_shown_of_the_file_cannot_move_the_cursor(check: Check) -> None:
    (problem,) = check(HEAD + '  a: {"\\x1b[2Jx": 1, steps: [{say: hi}]}\n')
    assert "\x1b" not in str(problem)


def test_a_long_line_is_cut_around_the_place(check: Check) -> None:
    (problem,) = check(
        HEAD + f"  a: {{steps: [{{say: {'x' * 5000}}}, {{bsh: y}}, {{say: {'z' * 5000}}}]}}\n"
    )
    excerpt = str(problem).splitlines()[1]
    assert len(excerpt) < 130
    assert "bsh" in excerpt
