"""What a sound plan becomes."""

from pathlib import Path

import pytest

from swarm.leader.plan.load import check_plan, load_plan
from swarm.permissions.model import Behavior, Layer, Mode

PLAN = """\
version: 1
name: release-checks
defaults: {agent: script, timeout: 30m, retries: 1, env: {CI: "1", LANG: C}}
permissions:
  mode: acceptEdits
  allow: ["Bash(pytest:*)"]
  deny:
    - Bash(git push:*)
max_parallel: 3
workers:
  tests:
    color: green
    steps:
      - {bash: pytest -q, id: run, continue_on_error: true, timeout: 90s}
      - write: {path: report.md, content: "${steps.run.output}"}
    result: "${steps.run.outcome}"
  fixer:
    needs: [tests]
    timeout: 1h30m
    retries: 0
    cwd: sub
    env: {CI: "0"}
    permissions: {mode: plan, deny: [Edit]}
    steps:
      - say: "tests: ${tasks.tests.result}"
"""


@pytest.fixture
def plan_file(tmp_path: Path) -> Path:
    (tmp_path / "sub").mkdir()
    file = tmp_path / "release.yaml"
    file.write_text(PLAN, encoding="utf-8")
    return file


def test_workers_stand_in_the_order_of_the_file_with_defaults_filled_in(plan_file: Path) -> None:
    plan = load_plan(plan_file)
    tests, fixer = plan.workers
    assert (tests.name, fixer.name) == ("tests", "fixer")
    assert (tests.kind, tests.timeout, tests.retries, tests.color) == ("script", 1800.0, 1, "green")
    assert (fixer.timeout, fixer.retries, fixer.needs) == (5400.0, 0, ("tests",))
    assert fixer.env == {"CI": "0", "LANG": "C"}


def test_folders_are_absolute_and_seen_from_the_plan(plan_file: Path) -> None:
    tests, fixer = load_plan(plan_file).workers
    assert tests.cwd == plan_file.parent.resolve()
    assert fixer.cwd == plan_file.parent.resolve() / "sub"


def test_a_plan_keeps_its_text_and_the_team_its_own_settings(plan_file: Path) -> None:
    plan = load_plan(plan_file)
    assert (plan.name, plan.mode, plan.max_parallel) == ("release-checks", Mode.ACCEPT_EDITS, 3)
    assert plan.text == PLAN
    assert plan.file == plan_file.absolute()


def test_rules_carry_the_place_they_stand_in(plan_file: Path) -> None:
    plan = load_plan(plan_file)
    allow, deny = sorted(plan.rules, key=lambda rule: rule.behavior)
    assert (allow.behavior, allow.text) == (Behavior.ALLOW, "Bash(pytest:*)")
    assert (allow.source.layer, allow.source.line, allow.source.column) == (Layer.PLAN, 6, 11)
    assert (deny.text, deny.source.line, deny.source.column) == ("Bash(git push:*)", 8, 7)
    assert deny.source.base == str(plan_file.parent)
    (own,) = plan.workers[1].rules
    assert (own.text, own.source.layer) == ("Edit", Layer.WORKER)
    assert plan.workers[1].mode is Mode.PLAN
    assert plan.workers[0].mode is None


def test_steps_are_passed_on_in_their_long_form(plan_file: Path) -> None:
    agent = load_plan(plan_file).workers[0].agent
    assert agent["result"] == "${steps.run.outcome}"
    first, second = agent["steps"]
    assert first == {
        "bash": {"command": "pytest -q"},
        "id": "run",
        "continue_on_error": True,
        "timeout": 90.0,
    }
    assert second == {"write": {"path": "report.md", "content": "${steps.run.output}"}}


def test_a_worker_with_steps_needs_to_name_no_agent(tmp_path: Path) -> None:
    file = tmp_path / "plan.yaml"
    file.write_text("version: 1\nworkers: {a: {steps: [{say: hi}]}}\n", encoding="utf-8")
    plan = load_plan(file)
    assert plan.workers[0].kind == "script"
    assert plan.name == tmp_path.name


def test_a_key_with_nothing_behind_it_counts_as_absent(tmp_path: Path) -> None:
    file = tmp_path / "plan.yaml"
    file.write_text(
        "version: 1\ndefaults:\nworkers: {a: {needs: , steps: [{say: hi}]}}\n", encoding="utf-8"
    )
    assert check_plan(file) == []


def test_yes_and_no_are_text_as_yaml_1_2_says(tmp_path: Path) -> None:
    file = tmp_path / "plan.yaml"
    file.write_text("version: 1\nworkers: {no: {steps: [{say: yes}]}}\n", encoding="utf-8")
    (worker,) = load_plan(file).workers
    assert (worker.name, worker.agent["steps"][0]) == ("no", {"say": "yes"})


def test_a_byte_order_mark_is_no_part_of_the_plan(tmp_path: Path) -> None:
    file = tmp_path / "plan.yaml"
    file.write_bytes(b"\xef\xbb\xbfversion: 1\r\nworkers: {a: {steps: [{say: hi}]}}\r\n")
    assert check_plan(file) == []


def test_an_anchor_saves_writing_the_same_twice(tmp_path: Path) -> None:
    file = tmp_path / "plan.yaml"
    text = "version: 1\nworkers:\n  a: {steps: &same [{say: hi}]}\n  b: {steps: *same}\n"
    file.write_text(text, encoding="utf-8")
    first, second = load_plan(file).workers
    assert first.agent == second.agent
