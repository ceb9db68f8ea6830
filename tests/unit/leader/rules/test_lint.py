"""What lint finds in settings files and plans, and where."""

import json
from pathlib import Path
from typing import Any

from swarm.leader.rules.lint import Finding, lint_files


def settings_file(folder: Path, text: str | dict[str, Any], name: str = "settings.json") -> Path:
    file = folder / ".swarm" / name
    file.parent.mkdir(exist_ok=True)
    file.write_text(text if isinstance(text, str) else json.dumps(text))
    return file


def shown(findings: list[Finding]) -> list[tuple[str, int, int, str]]:
    return [
        ("error" if one.is_error else "warning", one.problem.line, one.problem.column, one.rule)
        for one in findings
    ]


def test_a_problem_has_the_place_of_the_sign_at_fault(tmp_path: Path) -> None:
    text = '{"permissions": {\n "deny": ["Bash(rm"],\n "allow": ["Bash(env:*)"]}}'
    findings = lint_files([settings_file(tmp_path, text)], tmp_path)
    assert shown(findings) == [("error", 2, 19, "Bash(rm"), ("warning", 3, 13, "Bash(env:*)")]
    assert findings[0].problem.source == ' "deny": ["Bash(rm"],'
    assert all(one.problem.expected for one in findings)


def test_a_file_that_cannot_be_read_is_one_error(tmp_path: Path) -> None:
    assert [one.is_error for one in lint_files([settings_file(tmp_path, "{")], tmp_path)] == [True]
    assert [one.is_error for one in lint_files([tmp_path / "none.json"], tmp_path)] == [True]


def test_a_rule_that_another_list_has_first_is_doubtful(tmp_path: Path) -> None:
    rules = {"permissions": {"deny": ["Bash(ls)"], "ask": ["Bash(id)"], "allow": ["Bash(ls)", "Bash(id)"]}}
    findings = lint_files([settings_file(tmp_path, rules)], tmp_path)
    assert [one.problem.text.split("(")[0] for one in findings] == [
        "the same rule stands in deny ",
        "the same rule stands in ask ",
    ]


def test_a_project_that_switches_asking_off_is_told_that_it_does_not(tmp_path: Path) -> None:
    file = settings_file(tmp_path, {"permissions": {"mode": "bypassPermissions"}})
    assert "not taken" in lint_files([file], tmp_path)[0].problem.text
    local = settings_file(tmp_path, {"permissions": {"mode": "bypassPermissions"}}, "settings.local.json")
    assert lint_files([local], tmp_path) == []


def test_without_a_name_the_files_that_hold_here_are_looked_at(tmp_path: Path) -> None:
    settings_file(tmp_path, {"permissions": {"deny": ["Bash()"]}}, "settings.local.json")
    assert [one.rule for one in lint_files([], tmp_path)] == ["Bash()"]


def test_a_plan_gives_its_errors_and_its_doubtful_rules(tmp_path: Path) -> None:
    plan = tmp_path / "plan.yaml"
    plan.write_text(
        "version: 1\n"
        'permissions: {allow: ["Bash(bash:*)", "Bash(x"]}\n'
        "workers:\n"
        '  one: {agent: script, steps: [{say: hi}], permissions: {deny: ["Bash(rm -r:*)"]}}\n'
        "  two: {agent: script, steps: 5}\n"
    )
    assert [(kind, line) for kind, line, _, _ in shown(lint_files([plan], tmp_path))] == [
        ("warning", 2),
        ("error", 2),
        ("warning", 4),
        ("error", 5),
    ]
    plan.write_text("a: [")
    assert [one.is_error for one in lint_files([plan], tmp_path)] == [True]
