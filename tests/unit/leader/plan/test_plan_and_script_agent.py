"""What a plan passes on is what the script agent reads, and the schema is what the loader accepts."""

import json
from pathlib import Path

import pytest

from swarm.leader.plan import steps
from swarm.leader.plan.load import load_plan
from swarm.leader.plan.schema import plan_schema
from swarm.worker.agents import script_steps

EXAMPLES = Path(__file__).parents[4] / "examples"

EVERY_STEP = """\
version: 1
workers:
  a:
    steps:
      - bash: ls
      - bash: {command: ls, timeout: 1m}
      - read: x
      - read: {file_path: x, offset: 1, limit: 2}
      - write: {path: x, content: y}
      - edit: {path: x, old: a, new: b, replace_all: true}
      - glob: "*"
      - glob: {pattern: "*", path: .}
      - grep: x
      - grep: {pattern: x, path: ., glob: "*.py", output_mode: content, head_limit: 5}
      - say: hi
      - message: {to: leader, text: hi}
      - {tool: {name: Bash, input: {command: ls}}, id: t, name: n, if_failed: true, timeout: 2}
    result: ${steps.t.output}
"""


@pytest.mark.parametrize("file", sorted(EXAMPLES.rglob("*.yaml")), ids=lambda file: str(file.name))
def test_every_example_is_sound_and_read_by_the_agent(file: Path) -> None:
    for worker in load_plan(file).workers:
        assert script_steps.read_script(worker.agent).steps


def test_every_kind_of_step_is_read_by_the_agent(tmp_path: Path) -> None:
    file = tmp_path / "plan.yaml"
    file.write_text(EVERY_STEP, encoding="utf-8")
    (worker,) = load_plan(file).workers
    script = script_steps.read_script(worker.agent)
    assert {step.action()[0] for step in script.steps} == set(steps.ACTIONS)
    assert script.result == "${steps.t.output}"


def test_both_ends_know_the_same_actions() -> None:
    assert steps.ACTIONS == script_steps.ACTIONS


def test_the_schema_describes_every_key() -> None:
    schema = plan_schema()
    assert json.loads(json.dumps(schema)) == schema
    for key, entry in schema["properties"].items():
        assert entry.get("description"), key
    for key, entry in schema["$defs"]["Worker"]["properties"].items():
        assert entry.get("description"), key


def test_the_schema_offers_short_and_long_forms() -> None:
    bash = plan_schema()["$defs"]["Step"]["properties"]["bash"]
    assert {option.get("type") for option in bash["anyOf"]} >= {"string", "object"}
