"""Reading cases from both forms, and everything that can be wrong with them."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from swarm.leader.plan.errors import PlanInvalid
from swarm.leader.rules.errors import CasesInvalid
from swarm.leader.rules.reading import read_cases

CALL = {"tool": "Bash", "input": {"command": "ls"}}
YAML = """\
settings:
  allow: ["Bash(npm test:*)"]
  deny:
    - Bash(git push:*)
mode: dontAsk
cwd: /w/proj
files: {/w/proj/a.txt: file}
cases:
  - command: npm test
    expect: allow
  - {tool: Read, input: {file_path: a.txt}, expect: deny, mode: default, why: nothing allows it}
"""
PLAN = """\
version: 1
permissions: {mode: plan, deny: ["Bash(git push:*)"]}
workers:
  one: {agent: script, steps: [{say: hi}], permissions: {deny: ["Bash(rm:*)"]}}
"""


def write(folder: Path, *cases: Any, name: str = "cases.jsonl") -> Path:
    file = folder / name
    file.write_text("\n".join(one if isinstance(one, str) else json.dumps(one) for one in cases))
    return file


def problems_of(file: Path) -> list[tuple[int, str]]:
    with pytest.raises(CasesInvalid) as caught:
        read_cases(file)
    return [(problem.line, problem.text) for problem in caught.value.problems]


def test_a_rule_of_a_case_knows_its_line_and_column(tmp_path: Path) -> None:
    line = json.dumps({"settings": {"deny": ["Bash(rm:*)"]}, "call": CALL, "expect": "ask"})
    case = read_cases(write(tmp_path, "", line))[0]
    (rule,) = case.rules
    assert (rule.source.line, line[rule.source.column - 1 :].startswith("Bash(rm:*)")) == (2, True)
    assert (case.name, case.line) == ("line 2", 2)


def test_everything_that_is_wrong_with_a_file_is_said_with_its_line(tmp_path: Path) -> None:
    found = problems_of(
        write(
            tmp_path,
            '{"call"',
            [],
            {"call": CALL, "expect": "maybe", "mode": "x", "cwd": "here"},
            {"expect": "ask"},
            {"call": CALL, "command": "ls", "expect": "ask"},
            {"call": CALL},
            {"call": CALL, "expect": "ask", "clasifier": "safe", "note": "kept"},
            {"call": CALL, "expect": "ask", "files": {"/a": "folder"}},
        )
    )
    assert [line for line, _ in found] == [1, 2, 3, 3, 3, 4, 5, 6, 7, 8]
    assert any("'clasifier' is not known" in text for _, text in found)


def test_a_file_without_cases_is_refused(tmp_path: Path) -> None:
    assert "no case" in problems_of(write(tmp_path, ""))[0][1]
    assert "empty" in problems_of(write(tmp_path, "", name="cases.yaml"))[0][1]
    assert problems_of(tmp_path / "missing.jsonl")


def test_deeply_nested_json_is_a_problem_and_no_fault(tmp_path: Path) -> None:
    assert problems_of(write(tmp_path, "[" * 100_000)) != []


def test_yaml_says_settings_once_and_cases_may_say_otherwise(tmp_path: Path) -> None:
    first, second = read_cases(write(tmp_path, YAML, name="cases.yaml"))
    assert [str(rule.source).removeprefix(f"{tmp_path}/") for rule in first.rules] == [
        "cases.yaml:2:11",
        "cases.yaml:4:7",
    ]
    assert (first.mode, second.mode, second.line, second.why) == (
        "dontAsk",
        "default",
        11,
        "nothing allows it",
    )
    assert second.request.tool == "Read"


def test_yaml_may_take_the_rules_of_a_plan_and_of_a_worker(tmp_path: Path) -> None:
    write(tmp_path, PLAN, name="plan.yaml")
    cases = "plan: plan.yaml\nworker: one\ncases: [{command: git push, expect: deny}]\n"
    (case,) = read_cases(write(tmp_path, cases, name="cases.yaml"))
    assert [rule.text for rule in case.rules] == ["Bash(git push:*)", "Bash(rm:*)"]
    assert (case.mode, case.request.cwd) == ("plan", str(tmp_path))


def test_a_plan_that_cannot_be_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PlanInvalid):
        read_cases(write(tmp_path, "plan: no.yaml\ncases: [{command: ls, expect: ask}]", name="cases.yaml"))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("- a", 1),
        ("cases: []", 1),
        ("settings: {}\ncases:\n  - command: ls\n", 3),
        ("cases:\n  - {expect: ask}\n", 2),
        ("cases:\n  - {command: ls, tool: Bash, expect: ask}\n", 2),
        ("cases:\n  - {command: ls, expect: ask, plan: x}\n", 2),
        ("cases:\n  - ls\n", 2),
        ("cases:\n  - {command: ls, input: {}, expect: ask}\n", 2),
        ("case: 1\ncases: [{command: ls, expect: ask}]\n", 1),
        ("home: x\ncases: [{command: ls, expect: ask}]\n", 1),
        ("cases: [{command: 5, expect: ask}]\n", 1),
        ("cases: [\n", 2),
    ],
)
def test_wrong_yaml_is_said_with_its_line(tmp_path: Path, text: str, line: int) -> None:
    assert problems_of(write(tmp_path, text, name="cases.yaml"))[0][0] == line


def test_the_cases_in_the_docs_can_be_run(tmp_path: Path) -> None:
    page = (Path(__file__).parents[4] / "docs" / "permissions.md").read_text(encoding="utf-8")
    (found,) = (block for block in re.findall(r"```yaml\n(.*?)```", page, re.DOTALL) if "\ncases:" in block)
    write(tmp_path, PLAN.replace("one:", "tests:"), name="plan.yaml")
    cases = read_cases(write(tmp_path, found, name="cases.yaml"))
    assert [case.expect for case in cases] == ["allow", "deny", "deny", "ask"]
