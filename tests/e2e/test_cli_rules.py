"""`swarm rules` as people and CI call it: output, exit codes, and that a run agrees with what it says."""

import json
import time
from pathlib import Path

import pytest

from support.plans import bash, write_plan
from support.programs import Ran, swarm

CORPUS = Path(__file__).parents[1] / "data" / "permissions.jsonl"
SETTINGS = """\
{
  "permissions": {
    "allow": ["Bash(git status)", "Bash(npm run test:*)"],
    "ask": ["Bash(git push:*)"],
    "deny": ["Bash(rm:*)"]
  }
}
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Give a project with settings of its own."""
    (tmp_path / ".swarm").mkdir()
    (tmp_path / ".swarm" / "settings.json").write_text(SETTINGS)
    return tmp_path


def rules(project: Path, *arguments: str) -> Ran:
    return swarm("rules", *arguments, cwd=project)


def test_the_corpus_passes_in_a_few_seconds(tmp_path: Path) -> None:
    began = time.monotonic()
    ran = rules(tmp_path, "test", str(CORPUS), "--mutate")
    assert (ran.code, ran.err) == (0, "")
    assert "404 of 404 cases" in ran.out
    assert " 0 slip through" in ran.out
    assert time.monotonic() - began < 20


def test_a_miss_is_shown_with_its_line_and_ends_with_1(project: Path) -> None:
    cases = project / "cases.yaml"
    cases.write_text("plan: plan.yaml\ncases:\n  - {command: touch x, expect: deny}\n")
    write_plan(project, {"one": [bash("true")]}, permissions={"allow": ["Bash(touch:*)"]})
    ran = rules(project, "test", "cases.yaml")
    assert ran.code == 1
    assert "cases.yaml:3: case 1  deny expected, allow found  (laxer)" in ran.out
    shown = rules(project, "test", "cases.yaml", "--json").objects()
    assert [one["type"] for one in shown] == ["miss", "summary"]
    assert shown[-1]["directions"]["denied"] == {"cases": 1, "right": 0, "laxer": 1, "stricter": 0}


def test_a_slip_ends_with_1_and_a_bad_file_with_2(project: Path) -> None:
    line = {"settings": {"allow": ["Bash"], "deny": ["Read(x)"]}, "command": "ls", "expect": "deny"}
    (project / "slips.jsonl").write_text(json.dumps(line))
    assert rules(project, "test", "slips.jsonl", "--mutate").code == 1
    (project / "bad.jsonl").write_text("{\n[]\n")
    ran = rules(project, "test", "bad.jsonl")
    assert (ran.code, ran.out) == (2, "")
    assert "bad.jsonl:1:2" in ran.err
    assert "bad.jsonl:2:1" in ran.err


def test_explain_underlines_the_part_that_decides_and_names_the_rule(project: Path) -> None:
    ran = rules(project, "explain", "--command", "git status && /bin/rm x")
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    at = next(number for number, line in enumerate(lines) if "/bin/rm x" in line)
    assert lines[at + 1] == " " * lines[at].index("/bin/rm x") + "~" * len("/bin/rm x")
    assert "The rule Bash(rm:*)" in ran.out
    assert "settings.json:5:" in ran.out
    assert "\x1b" not in ran.out


def test_explain_speaks_json_of_any_tool(project: Path) -> None:
    call = ("--tool", "Write", "--input", '{"file_path": ".git/config", "content": ""}')
    (found,) = rules(project, "explain", *call, "--mode", "dontAsk", "--json").objects()
    assert found["verdict"] == "deny"
    assert ".git" in found["guard"]
    assert found["to_allow"]["add"] == []


def test_what_explain_says_is_what_a_run_does(project: Path) -> None:
    write_plan(
        project,
        {"one": [bash("touch made"), bash("rm made")]},
        permissions={"mode": "dontAsk", "allow": ["Bash(touch:*)"]},
    )
    said = [
        rules(project, "explain", "--plan", "plan.yaml", "--command", command, "--json").objects()[0][
            "verdict"
        ]
        for command in ("touch made", "rm made", "true")
    ]
    assert said == ["allow", "deny", "deny"]
    assert swarm("run", "plan.yaml", "--headless", cwd=project).code == 3
    assert (project / "made").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ("explain",),
        ("explain", "--input", "["),
        ("explain", "--command", "ls", "--settings", "none.json"),
        ("explain", "--command", "ls", "--worker", "x"),
        ("list", "--plan", "none.yaml"),
        ("import", "claude", "none.json"),
        ("import", "emacs"),
        ("nothing",),
    ],
)
def test_what_cannot_be_done_ends_with_2_and_says_why(project: Path, arguments: tuple[str, ...]) -> None:
    ran = rules(project, *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.strip()


def test_a_broken_settings_file_is_told_and_makes_everything_ask(project: Path) -> None:
    (project / ".swarm" / "settings.json").write_text('{"permissions": [')
    ran = rules(project, "explain", "--command", "git status")
    assert "It would be asked about." in ran.out
    assert "settings.json:1:" in ran.err
    assert rules(project, "lint").code == 1


def test_lint_shows_line_column_and_caret(project: Path) -> None:
    (project / "s.json").write_text('{"permissions": {\n  "deny": ["Bash(rm -r:*)"]}}')
    ran = rules(project, "lint", "s.json")
    assert (ran.code, ran.err.strip()) == (0, "no errors, 1 warning.")
    assert ran.out.splitlines()[0].startswith("s.json:2:13: warning: ") or "/s.json:2:13: " in ran.out
    assert ran.out.splitlines()[2].endswith("^")
    (found,) = rules(project, "lint", "s.json", "--json").objects()
    assert (found["severity"], found["line"], found["rule"]) == ("warning", 2, "Bash(rm -r:*)")


def test_list_gives_layer_file_and_line_of_each_rule(project: Path) -> None:
    write_plan(project, {"one": [bash("true")]}, permissions={"deny": ["Bash(dd:*)"]})
    found = rules(project, "list", "--plan", "plan.yaml", "--json").objects()
    assert [(one["list"], one["rule"], one["layer"]) for one in found] == [
        ("deny", "Bash(rm:*)", "project"),
        ("deny", "Bash(dd:*)", "plan"),
        ("ask", "Bash(git push:*)", "project"),
        ("allow", "Bash(git status)", "project"),
        ("allow", "Bash(npm run test:*)", "project"),
    ]
    assert found[0]["line"] == 5


def test_import_prints_settings_that_lint_takes_and_writes_only_when_told(project: Path) -> None:
    (project / ".claude").mkdir()
    claude = {"permissions": {"allow": ["Bash(make:*)"], "deny": ["Read(./.env)"], "defaultMode": "plan"}}
    (project / ".claude" / "settings.json").write_text(json.dumps(claude))
    ran = rules(project, "import", "claude")
    assert json.loads(ran.out)["permissions"] == {
        "mode": "plan",
        "allow": ["Bash(make:*)"],
        "ask": [],
        "deny": ["Read(.env)"],
    }
    assert "any depth" in ran.err
    assert "Nothing was written" in ran.err
    local = project / ".swarm" / "settings.local.json"
    assert not local.exists()
    assert rules(project, "import", "claude", "--write", "local").code == 0
    assert json.loads(local.read_text())["permissions"] == {
        "allow": ["Bash(make:*)"],
        "deny": ["Read(.env)"],
    }
    assert rules(project, "lint").code == 0


def test_import_without_anything_to_import_ends_with_1(tmp_path: Path) -> None:
    ran = rules(tmp_path, "import", "codex")
    assert (ran.code, ran.out) == (1, "")
