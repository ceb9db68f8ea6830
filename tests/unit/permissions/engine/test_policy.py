"""Rules are found by an index; it finds what a look at every rule would find."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from swarm.permissions.engine import decide
from swarm.permissions.files import MemoryFiles
from swarm.permissions.model import Behavior, Layer, Request, RuleText, Source
from swarm.permissions.rules import read_rule
from swarm.permissions.rules_bash import index_commands, read_command
from swarm.permissions.rules_path import index_paths, read_pattern

from .building import CWD, decided, policy_of

WORDS = st.sampled_from(["git", "push", "npm", "run", "-f", "a", "'a b'", "x.txt", "*", "git*", ":*", "*x"])
SPECIFIERS = st.lists(WORDS, min_size=1, max_size=4).map(" ".join)
COMMANDS = st.lists(WORDS, min_size=1, max_size=5).map(lambda words: " ".join(words).replace("*", "y"))
NAMES = st.sampled_from(["src", "a.txt", "*.md", "**", "x", ".env*", "?", "b"])
PATHS = st.lists(NAMES, min_size=1, max_size=4).map("/".join)
ANCHORS = st.sampled_from(["//w/proj/", "~/", "/", "./", "", "//"])
PLAIN = st.lists(
    st.sampled_from(["src", "a.txt", "r.md", "x", ".env", "b", "w", "proj"]), min_size=1, max_size=5
)
BASES = st.sampled_from(["/w/proj/", "/home/dev/", "/"])


def rule_text(text: str, behavior: Behavior) -> RuleText:
    return RuleText(behavior, text, Source(Layer.PROJECT, "settings.json", 1, 1, CWD))


@given(st.lists(SPECIFIERS, max_size=6), COMMANDS, st.sampled_from(list(Behavior)))
@settings(max_examples=200, deadline=None)
def test_the_index_of_commands_finds_what_a_scan_finds(
    texts: list[str], command: str, behavior: Behavior
) -> None:
    patterns = [read_command(read_rule(rule_text(f"Bash({text})", behavior)).rule) for text in texts]
    index = index_commands(patterns)
    if behavior is Behavior.ALLOW:
        scanned = any(pattern.matches_written(command) for pattern in patterns)
        assert (index.match_written(command) is not None) == scanned
    else:
        scanned = any(pattern.matches(command) for pattern in patterns)
        assert (index.match(command) is not None) == scanned


@given(
    st.lists(st.tuples(ANCHORS, PATHS), max_size=6),
    BASES,
    PLAIN,
    st.sampled_from(list(Behavior)),
    st.booleans(),
)
@settings(max_examples=300, deadline=None)
def test_the_index_of_paths_finds_what_a_scan_finds(
    texts: list[tuple[str, str]], base: str, names: list[str], behavior: Behavior, folds: bool
) -> None:
    rules = [read_rule(rule_text(f"Read({anchor}{path})", behavior)).rule for anchor, path in texts]
    patterns = [read_pattern(rule, "/home/dev", CWD) for rule in rules]
    path = base + "/".join(names)
    scanned = any(pattern.matches(path, CWD, folds) for pattern in patterns)
    assert (index_paths(patterns).match(path, CWD, folds) is not None) == scanned


@given(st.lists(st.tuples(ANCHORS, PATHS), max_size=6), BASES, PLAIN, st.sampled_from(list(Behavior)))
@settings(max_examples=300, deadline=None)
def test_the_index_of_paths_finds_rules_below_a_folder_as_a_scan_does(
    texts: list[tuple[str, str]], base: str, names: list[str], behavior: Behavior
) -> None:
    rules = [read_rule(rule_text(f"Read({anchor}{path})", behavior)).rule for anchor, path in texts]
    patterns = [read_pattern(rule, "/home/dev", CWD) for rule in rules]
    folder = (base + "/".join(names)) if names[0] != "x" else "/"
    index = index_paths(patterns)
    fixed = [pattern for pattern in patterns if not pattern.floats and pattern.could_fit_below(folder, CWD)]
    floating = [pattern for pattern in patterns if pattern.floats and pattern.could_fit_below(folder, CWD)]
    assert (index.match_fixed_below(folder, CWD) is not None) == bool(fixed)
    assert (index.match_floating_below(folder, CWD) is not None) == bool(floating)


def test_the_version_tells_rules_and_modes_apart() -> None:
    versions = {
        policy_of(["Bash(a)"]).version,
        policy_of(["Bash(b)"]).version,
        policy_of([], ["Bash(a)"]).version,
        policy_of(["Bash(a)"], mode="plan").version,
    }
    assert len(versions) == 4
    assert policy_of(["Bash(a)"]).version == policy_of(["Bash(a)"]).version


def test_a_verdict_names_the_rule_with_its_place() -> None:
    verdict = decided("badcmd x", policy_of(["Bash"], ["Read(./x)", "Bash(badcmd:*)"]))
    assert verdict.rule is not None
    assert verdict.rule.source.line == 2
    assert verdict.why == "The rule Bash(badcmd:*) (settings.json:2:1) denies `badcmd x`."


def test_each_part_of_a_compound_command_has_its_span_and_its_reason() -> None:
    command = "mytool a && othertool b > out.txt"
    verdict = decided(command, policy_of(["Bash(mytool:*)"]))
    assert [(part.text, str(part.behavior)) for part in verdict.parts] == [
        ("mytool a", "allow"),
        ("othertool b > out.txt", "ask"),
        ("> out.txt", "ask"),
    ]
    assert all(command[part.start : part.end] == part.text for part in verdict.parts)


@pytest.mark.parametrize(
    ("text", "column", "problem"),
    [("Bash(mytool", 11, "not closed"), ("B*sh(x)", 5, "no specifier"), ("*", 0, "literal server")],
)
def test_a_rule_that_cannot_be_read_points_at_the_place(text: str, column: int, problem: str) -> None:
    (found,) = policy_of([text]).problems
    assert found.is_error
    assert found.column == column
    assert problem in found.problem


def test_a_guard_is_marked_so_that_nobody_offers_a_rule_for_it() -> None:
    assert decided("rm -rf ~", policy_of(["Bash"])).guarded
    assert not decided("mytool", policy_of()).guarded


@pytest.mark.parametrize("mode", ["plan", "dontAsk"])
def test_a_fault_of_the_engine_itself_is_never_an_allow(mode: str) -> None:
    class Faulty(MemoryFiles):
        def kind(self, path: str) -> Any:
            raise RuntimeError(path)

    request = Request("Read", {"file_path": "a.txt"}, CWD)
    assert decide(request, policy_of(["Read"], mode=mode), Faulty({})).behavior == "deny"
    assert decide(request, policy_of(["Read"]), Faulty({})).behavior == "ask"
