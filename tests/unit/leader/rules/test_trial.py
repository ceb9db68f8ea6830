"""Running cases: misses by direction, rules without a say, and other spellings of what is denied."""

import subprocess
from pathlib import Path

import pytest

from swarm.leader.rules.cases import Case
from swarm.leader.rules.mutations import mutate, spellings
from swarm.leader.rules.reading import read_cases
from swarm.leader.rules.trial import run_cases
from swarm.permissions.files import MemoryFiles
from swarm.permissions.model import Behavior, Folders, Layer, Mode, Request, RuleText, Source

CORPUS = Path(__file__).parents[3] / "data" / "permissions.jsonl"


def case(command: str, expect: str, deny: str = "", allow: str = "Bash", **more: object) -> Case:
    source = Source(Layer.PROJECT, "f", 1, 1, "/w")
    rules = [RuleText(Behavior.ALLOW, allow, source)] * bool(allow)
    rules += [RuleText(Behavior.DENY, deny, source)] * bool(deny)
    return Case(
        name=command,
        file="f",
        line=1,
        rules=tuple(rules),
        mode=Mode.DEFAULT,
        folders=Folders(Path("/home/dev"), Path("/w")),
        request=Request("Bash", {"command": command}, "/w"),
        files=MemoryFiles({}),
        expect=Behavior(expect),
        **more,  # type: ignore[arg-type] # each test gives fields of Case
    )


def test_the_corpus_comes_out_as_expected_and_no_spelling_of_it_slips_through() -> None:
    cases = read_cases(CORPUS)
    assert run_cases(cases).misses == []
    mutated = mutate(cases)
    assert mutated.tried > 1000
    assert mutated.slips == []


def test_misses_are_counted_by_what_was_expected_and_by_direction() -> None:
    report = run_cases(
        [case("ls", "deny"), case("ls", "ask"), case("ls", "allow", deny="Bash(ls)"), case("ls", "allow")]
    )
    assert [(miss.direction, miss.laxer) for miss in report.misses] == [
        ("denied", True),
        ("asked", True),
        ("allowed", False),
    ]
    assert (report.counts["allowed"].total, report.counts["allowed"].right) == (2, 1)
    assert "every command" in report.misses[0].why


def test_classifier_offers_and_problems_are_counted_apart() -> None:
    report = run_cases(
        [
            case("ls", "ask", allow="", classifier="unsure"),
            case("npm test", "ask", allow="", offers=()),
            case("npm test", "ask", allow="", offers=("Bash(npm test:*)",)),
            case("rm x", "ask", allow="", offers=("Bash(rm x)",)),
            case("ls", "allow", warn=True),
            case("ls", "allow", error=True),
        ]
    )
    assert [(miss.direction, miss.laxer) for miss in report.misses] == [
        ("classifier", True),
        ("offers", True),
        ("offers", False),
        ("problems", True),
        ("problems", True),
    ]


def test_a_rule_that_decides_nothing_is_idle_and_one_that_is_only_named_is_not() -> None:
    assert [rule.text for rule in run_cases([case("ls", "allow", deny="Bash(rm:*)")]).idle] == [
        "Bash(rm:*)"
    ]
    assert [rule.text for rule in run_cases([case("mywrap rm x", "ask", deny="Bash(rm:*)")]).idle] == [
        "Bash"
    ]


def test_what_slips_through_is_reported_with_its_spelling() -> None:
    mutated = mutate([case("ls -l", "deny", allow="Bash")])
    assert mutated.slips
    assert all(slip.found is Behavior.ALLOW and slip.command and slip.why for slip in mutated.slips)


def test_spellings_of_a_compound_command_leave_its_words_alone() -> None:
    assert {name for name, _ in spellings("a; b")} & {"timeout", "quoted name", "redirection"} == set()
    assert dict(spellings("abc d"))["half-quoted name"] == 'a"bc" d'


@pytest.mark.parametrize("command", ["cd /x", "echo 'a b'", "grep -c x <<E\nx\nE", "true; echo `id`"])
def test_every_spelling_is_read_by_bash_itself(command: str) -> None:
    for name, text in spellings(command):
        ran = subprocess.run(["bash", "-n", "-c", text], capture_output=True, text=True, check=False)
        assert (ran.returncode, ran.stderr) == (0, ""), (name, text)


def test_a_rule_that_is_a_list_is_counted_as_any_other(tmp_path: Path) -> None:
    file = tmp_path / "cases.jsonl"
    file.write_text('{"settings": {"allow": [[]]}, "command": "mytool", "expect": "ask", "error": true}\n')
    assert run_cases(read_cases(file)).misses == []
