import re
import runpy
import sys
from pathlib import Path

import pytest
from typer.main import get_command

from swarm.leader.cli.app import COMMANDS, build_app
from swarm.leader.cli.door import BROKEN_PIPE
from swarm.leader.headless.summary import _MEANING
from swarm.leader.plan.load import check_plan
from swarm.leader.plan.models import Plan, Settings, Worker
from swarm.leader.plan.steps import Step
from swarm.leader.tui.keys import HELP

ROOT = Path(__file__).parents[3]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PLAN_PAGE = (ROOT / "docs" / "plan.md").read_text(encoding="utf-8")
EVENTS_PAGE = (ROOT / "docs" / "json-events.md").read_text(encoding="utf-8")
RULES_PAGE = (ROOT / "docs" / "permissions.md").read_text(encoding="utf-8")


SCRIPT = runpy.run_path(str(ROOT / "scripts" / "protocol_docs"))


def options_of(command: str) -> list[list[str]]:
    found = get_command(build_app((command,)))
    inner = getattr(found, "commands", {command: found})[command]
    return [one.opts for one in inner.params if one.opts[0].startswith("-")]


@pytest.mark.parametrize("name", ["docs/plan.md", "docs/json-events.md", "docs/permissions.md"])
def test_the_tables_of_a_reference_page_are_as_the_code_says(name: str) -> None:
    assert SCRIPT["bring_in_step"](name, check=True)


def test_every_key_of_a_plan_is_explained() -> None:
    for model in (Plan, Settings, Worker, Step):
        for key in model.model_fields:
            assert f"| `{key}` |" in PLAN_PAGE, key


def test_the_plan_in_the_readme_can_be_run(tmp_path: Path) -> None:
    found = re.search(r"```yaml\n(.*?)```", README, re.DOTALL)
    assert found is not None
    plan = tmp_path / "plan.yaml"
    plan.write_text(found[1], encoding="utf-8")
    assert check_plan(plan) == []


@pytest.mark.parametrize("command", COMMANDS)
def test_the_readme_names_every_command_with_its_options(command: str) -> None:
    assert re.search(rf"swarm {command}\b", README)
    for spellings in options_of(command):
        assert any(spelling in README for spelling in spellings), f"{command} {spellings}"


def test_the_readme_says_what_every_exit_code_means() -> None:
    for code in (*_MEANING, 2):
        assert re.search(rf"^\| {code} \|", README, re.MULTILINE), code
    assert str(BROKEN_PIPE) in README


def test_the_readme_names_every_key_of_the_help_screen() -> None:
    keys = README.partition("## The screen")[2].partition("\n## ")[0]
    for heading, hints in HELP:
        for written, _ in hints:
            for key in re.split(r" +", written.replace("Ctrl-C again", "Ctrl-C").replace("…", "")):
                assert f"`{key}`" in keys, f"{heading}: {key}"


def test_the_readme_leads_to_files_that_are_there() -> None:
    pages = ((README, ROOT), *((page, ROOT / "docs") for page in (PLAN_PAGE, EVENTS_PAGE, RULES_PAGE)))
    for page, folder in pages:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page):
            assert (folder / target).exists(), target


def test_every_benchmark_is_in_the_list_of_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    script = runpy.run_path(str(ROOT / "benchmarks" / "bench.py"))
    monkeypatch.delitem(sys.modules, "figures")
    page = (ROOT / "benchmarks" / "README.md").read_text(encoding="utf-8")
    for name, benchmark in script["BENCHMARKS"].items():
        assert f"scripts/bench {name}" in page
        assert (ROOT / "benchmarks" / benchmark.file).exists()
