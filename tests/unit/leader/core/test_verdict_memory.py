"""Verdicts are remembered only where nothing else than the call and the rules had a say."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarm.leader.core.verdict_memory import CALLS_LIMIT, TEXT_LIMIT, VerdictMemory
from swarm.permissions.engine import decide
from swarm.permissions.files import MemoryFiles
from swarm.permissions.model import Behavior, Folders, Layer, Mode, Request, RuleText, Source
from swarm.permissions.policy import Policy, compile_policy

FOLDERS = Folders(Path("/home/dev"), Path("/w"))


def policy(*allow: str, deny: tuple[str, ...] = ()) -> Policy:
    source = Source(Layer.PLAN, "plan.yaml", base="/w")
    rules = [RuleText(Behavior.ALLOW, text, source) for text in allow]
    rules += [RuleText(Behavior.DENY, text, source) for text in deny]
    return compile_policy(rules, Mode.DEFAULT, FOLDERS)


def bash(command: str) -> Request:
    return Request("Bash", {"command": command}, "/w")


def test_the_same_call_under_the_same_rules_is_decided_once() -> None:
    memory, rules = VerdictMemory(MemoryFiles({})), policy("Bash(make:*)")
    first = memory.decide(bash("make all"), rules)
    assert first.behavior is Behavior.ALLOW
    assert memory.decide(bash("make all"), rules) is first


def test_other_rules_decide_anew() -> None:
    memory = VerdictMemory(MemoryFiles({}))
    memory.decide(bash("make all"), policy("Bash(make:*)"))
    assert memory.decide(bash("make all"), policy()).behavior is Behavior.ASK


def test_a_verdict_that_hung_on_a_file_is_looked_up_again() -> None:
    rules = policy("Read(/pub/**)", deny=("Read(/sec/**)",))
    request = Request("Read", {"file_path": "/w/pub/f"}, "/w")
    files = {"/w/pub/f": "file", "/w/sec/f": "file"}
    view = MemoryFiles(files)
    memory = VerdictMemory(view)
    assert memory.decide(request, rules).behavior is Behavior.ALLOW
    swapped = MemoryFiles({"/w/pub": "->/w/sec", "/w/sec/f": "file"})
    memory._files._files = swapped
    assert memory.decide(request, rules).behavior is Behavior.DENY


@pytest.mark.parametrize(
    "request_",
    [bash("x" * (TEXT_LIMIT + 1)), Request("Tool", {"deep": {"a": [1]}}, "/w")],
    ids=["long", "deep"],
)
def test_what_is_long_or_deep_is_not_remembered(request_: Request) -> None:
    memory, rules = VerdictMemory(MemoryFiles({})), policy()
    assert memory.decide(request_, rules) is not memory.decide(request_, rules)


def test_the_number_of_remembered_calls_is_bounded() -> None:
    memory, rules = VerdictMemory(MemoryFiles({})), policy()
    for number in range(CALLS_LIMIT + 10):
        memory.decide(bash(f"make {number}"), rules)
    assert repr(memory) == "<VerdictMemory 10 calls>"


COMMANDS = st.sampled_from(
    ["make", "make all", "cat a", "cat secret", "rm -rf /", "ls; make", "$x", "cd /"]
)


@given(st.lists(COMMANDS, max_size=8))
def test_it_says_what_the_engine_says(commands: list[str]) -> None:
    rules = policy("Bash(make:*)", "Bash(cat:*)", deny=("Read(secret)",))
    files = MemoryFiles({"/w/a": "file", "/w/secret": "file"})
    memory = VerdictMemory(files)
    for command in commands:
        assert memory.decide(bash(command), rules) == decide(bash(command), rules, files)
