"""Which rules, mode and folder hold for a plan and its workers, as in a run."""

import json
from pathlib import Path

import pytest

from swarm.leader.errors import UnknownWorker
from swarm.leader.plan.load import load_plan
from swarm.leader.policies import Policies
from swarm.leader.rules.errors import BadQuestion
from swarm.leader.rules.in_force import find_rules

PLAN = """\
version: 1
permissions: {mode: %s, allow: ["Bash(ls)"]}
workers:
  one: {agent: script, steps: [{say: hi}], cwd: sub, permissions: {deny: ["Bash(rm:*)"]}}
  two: {agent: script, steps: [{say: hi}], permissions: {mode: default}}
"""


def project(folder: Path, mode: str, settings_mode: str) -> Path:
    (folder / "sub").mkdir()
    (folder / ".swarm").mkdir()
    settings = {"permissions": {"mode": settings_mode, "ask": ["Bash(git:*)"]}}
    (folder / ".swarm" / "settings.local.json").write_text(json.dumps(settings))
    (folder / "plan.yaml").write_text(PLAN % mode)
    return folder / "plan.yaml"


@pytest.mark.parametrize("worker", ["", "one", "two"])
@pytest.mark.parametrize("settings_mode", ["default", "plan"])
@pytest.mark.parametrize("mode", ["default", "dontAsk"])
def test_the_mode_is_the_one_that_a_run_has(
    tmp_path: Path, mode: str, settings_mode: str, worker: str
) -> None:
    plan = project(tmp_path, mode, settings_mode)
    found = find_rules(tmp_path, (), plan, worker)
    run = Policies(load_plan(plan), tmp_path / "session")
    assert found.mode is run.mode_for(worker)


def test_rules_of_settings_plan_and_worker_are_put_together(tmp_path: Path) -> None:
    plan = project(tmp_path, "default", "default")
    found = find_rules(tmp_path, (), plan, "one")
    assert [rule.text for rule in found.rules] == ["Bash(git:*)", "Bash(ls)", "Bash(rm:*)"]
    assert (found.folder, find_rules(tmp_path, (), plan).folder) == (tmp_path / "sub", tmp_path)


def test_only_the_named_settings_count(tmp_path: Path) -> None:
    project(tmp_path, "default", "default")
    other = tmp_path / "other.json"
    other.write_text('{"permissions": {"deny": ["Bash"]}}')
    assert [rule.text for rule in find_rules(tmp_path, [other]).rules] == ["Bash"]


def test_a_worker_needs_its_plan_and_has_to_be_in_it(tmp_path: Path) -> None:
    plan = project(tmp_path, "default", "default")
    with pytest.raises(BadQuestion, match="--plan"):
        find_rules(tmp_path, (), None, "one")
    with pytest.raises(UnknownWorker):
        find_rules(tmp_path, (), plan, "three")
