"""What explain finds out about a call, and that what it advises is true."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from swarm.leader.rules.errors import BadQuestion
from swarm.leader.rules.explain import Explanation, explain
from swarm.leader.rules.question import read_question
from swarm.permissions.engine import decide
from swarm.permissions.files import MemoryFiles
from swarm.permissions.model import Behavior, Folders, Layer, Mode, Request, RuleText, Source
from swarm.permissions.policy import compile_policy

FOLDERS = Folders(Path("/home/dev"), Path("/w"), (Path("/w"),))
FILES = MemoryFiles({"/w/src/a.py": "file", "/w/.env": "file"})
RULES = {
    "allow": ("Bash(git status)", "Bash(npm run test:*)"),
    "ask": ("Bash(git push:*)",),
    "deny": ("Bash(rm:*)", "Read(.env)"),
}


def texts(rules: dict[str, tuple[str, ...]] = RULES) -> tuple[RuleText, ...]:
    return tuple(
        RuleText(Behavior(name), text, Source(Layer.PROJECT, "s.json", at, 1, "/w"))
        for name, listed in rules.items()
        for at, text in enumerate(listed, 1)
    )


def explained(command: str, mode: str = "default", **rules: tuple[str, ...]) -> Explanation:
    request = Request("Bash", {"command": command}, "/w")
    return explain(request, texts(rules or RULES), Mode(mode), FOLDERS, FILES)


def marked(found: Explanation) -> list[str]:
    command = found.request.input["command"]
    return [command[part.start : part.end] for part in found.marked]


def test_only_the_part_that_decided_is_marked() -> None:
    assert marked(explained("git status && rm x")) == ["rm x"]
    assert marked(explained("npm run test; git commit")) == ["git commit"]
    assert marked(explained("git status")) == []


def test_a_deny_has_to_go_before_anything_can_be_added() -> None:
    way = explained("rm x").way
    assert [rule.text for rule in way.removed] == ["Bash(rm:*)"]
    assert (way.added, way.offered, way.obstacle) == (["Bash(rm x)"], False, "")


def test_every_rule_in_the_way_is_named() -> None:
    way = explained("git push; rm x; cat .env").way
    assert {rule.text for rule in way.removed} == {"Bash(git push:*)", "Bash(rm:*)", "Read(.env)"}


@pytest.mark.parametrize(
    ("command", "word", "advice"),
    [
        ("rm -rf /", "root", "a guard"),
        ('eval "$x"', "cannot be known", "No allow rule"),
        ("echo $(date)", "substitution", "write the command without it"),
        ("npm run test &", "background", "write the command without it"),
        ("if", "cannot be read", "No allow rule"),
    ],
)
def test_what_no_rule_changes_is_the_obstacle(command: str, word: str, advice: str) -> None:
    way = explained(command).way
    assert word in way.obstacle
    assert advice in way.advice


def test_bare_bash_is_named_only_where_it_would_be_enough() -> None:
    assert "The rule Bash alone" in explained("echo $(date)", allow=()).way.advice
    assert "The rule Bash alone" not in explained("echo $(date); mywrap rm x").way.advice


def test_a_rule_that_cannot_be_read_has_to_be_mended() -> None:
    found = explained("ls", deny=("Bash(rm",))
    assert "Mend that rule" in found.way.advice
    assert [problem.text for problem in found.broken] == ["Bash(rm"]


@pytest.mark.parametrize(
    ("mode", "command", "says"),
    [
        ("plan", "npm run test", "Without it, this would be allowed."),
        ("dontAsk", "make", "Without it, this would be asked."),
        ("bypassPermissions", "make", "Without it, this would be asked."),
        ("default", "make", "No rule decided"),
        ("acceptEdits", "npm run test > out", "Without it, this would be asked."),
        ("bypassPermissions", "echo > .git/x", "Without it, this would be asked."),
        ("default", "rm x", "a rule decided"),
    ],
)
def test_what_the_mode_made_of_it_is_said(mode: str, command: str, says: str) -> None:
    assert says in explained(command, mode).mode_says


def test_the_mode_plan_is_an_obstacle_that_no_rule_lifts() -> None:
    assert "plan" in explained("make", "plan").way.obstacle


def test_a_guard_is_told_even_where_a_rule_came_first() -> None:
    assert "root" in explained("rm -rf /").guard
    assert explained("git status").guard == ""


def test_examples_are_only_what_the_engine_itself_would_allow() -> None:
    (examples,) = explained("cat src/a.py").way.examples
    assert "cat ~/.ssh/id_rsa" in examples.also
    assert any("curl" in text for text in examples.not_these)
    (denied,) = explained("cat src/a.py", deny=("Read(~/.ssh/**)",)).way.examples
    assert "cat ~/.ssh/id_rsa" not in denied.also


COMMANDS = st.lists(
    st.sampled_from(
        [
            "ls",
            "git push",
            "rm x",
            "make all",
            "$(date)",
            "&& x",
            "; cat .env",
            "> out",
            "| wc",
            "'a b'",
            "&",
        ]
    ),
    max_size=5,
).map(" ".join)


@settings(max_examples=60, deadline=None)
@given(COMMANDS, st.sampled_from(list(Mode)))
def test_whoever_follows_the_advice_gets_an_allow(command: str, mode: Mode) -> None:
    request = Request("Bash", {"command": command}, "/w")
    way = explain(request, texts(), mode, FOLDERS, FILES).way
    left = [rule for rule in texts() if rule not in way.removed]
    added = [RuleText(Behavior.ALLOW, text, Source(Layer.SESSION)) for text in way.added]
    behavior = decide(request, compile_policy((*left, *added), mode, FOLDERS), FILES).behavior
    assert (behavior is Behavior.ALLOW) == (not way.obstacle)


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=40))
def test_any_text_is_explained(command: str) -> None:
    assert explained(command).verdict.why


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        (("Bash", None, "ls"), Request("Bash", {"command": "ls"}, "/w")),
        (("Read", '{"file_path": "x"}', None), Request("Read", {"file_path": "x"}, "/w")),
    ],
)
def test_a_question_is_read(arguments: tuple[str, str | None, str | None], found: Request) -> None:
    assert read_question(*arguments, "/w") == found


@pytest.mark.parametrize(
    "arguments",
    [
        ("Bash", "{}", "ls"),
        ("Read", None, "ls"),
        ("Bash", None, None),
        ("Bash", "[", None),
        ("Bash", "[]", None),
    ],
)
def test_a_question_that_is_none_is_refused(arguments: tuple[str, str | None, str | None]) -> None:
    with pytest.raises(BadQuestion):
        read_question(*arguments, "/w")
