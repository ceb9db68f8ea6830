"""Many spellings of each kind of call, each with the one answer that fits its kind."""

import json
from pathlib import Path
from typing import Any

import pytest

from swarm.permissions.classifier import classify
from swarm.permissions.engine import decide
from swarm.permissions.files import MemoryFiles
from swarm.permissions.model import Request
from swarm.permissions.offers import offers

from .building import CWD, bash, policy_of

Kind = dict[str, Any]
DATA = Path(__file__).parents[3] / "data"
KINDS: list[Kind] = json.loads((DATA / "permission_kinds.json").read_text())
TEXTS: Kind = json.loads((DATA / "permission_texts.json").read_text())
STANDARD = {
    "/w/proj/foo.txt": "file",
    "/w/proj/bar.txt": "file",
    "/w/proj/a.txt": "file",
    "/w/proj/src": "dir",
    "/w/proj/src/foo.txt": "file",
    "/w/proj/.git": "dir",
    "/w/proj/secret": "dir",
    "/w/proj/secret/s.txt": "file",
    "/w/proj/link": "->/etc",
    "/w/proj/build": "dir",
}
WITH_SECRETS = {
    "/w/proj/a.txt": "file",
    "/w/proj/b.txt": "file",
    "/w/proj/src": "dir",
    "/w/proj/src/a.py": "file",
    "/w/proj/src/id_rsa": "file",
    "/w/proj/lib": "dir",
    "/w/proj/lib/x.py": "file",
    "/w/proj/.env": "file",
    "/w/proj/data.json": "file",
    "/w/proj/out": "->/etc/passwd",
    "/w/proj/.git": "dir",
}


def name_of(kind: Kind) -> str:
    rules = " ".join(f"{name}={','.join(kind[name])}" for name in ("allow", "ask", "deny") if kind[name])
    return f"{kind['expect']} {kind['mode']} {rules}"


@pytest.mark.parametrize("kind", KINDS, ids=name_of)
def test_every_spelling_of_a_kind_gets_the_same_answer(kind: Kind) -> None:
    policy = policy_of(kind["allow"], kind["deny"], kind["ask"], kind["mode"])
    files = MemoryFiles(kind.get("files", STANDARD))
    wrong = []
    for call in kind["calls"]:
        request = bash(call) if isinstance(call, str) else Request(call["tool"], call["input"], CWD)
        verdict = decide(request, policy, files)
        if verdict.behavior != kind["expect"]:
            wrong.append((call, str(verdict.behavior), verdict.why))
    assert wrong == []


@pytest.mark.parametrize("command", TEXTS["safe"])
def test_a_command_that_only_reads_here_is_safe(command: str) -> None:
    found = classify(bash(command), policy_of(), MemoryFiles(WITH_SECRETS))
    assert found.safe, found.why


@pytest.mark.parametrize("command", TEXTS["unsure"])
def test_a_command_that_may_do_more_is_unsure(command: str) -> None:
    found = classify(bash(command), policy_of(), MemoryFiles(WITH_SECRETS))
    assert not found.safe
    assert found.why


@pytest.mark.parametrize(("command", "expected"), TEXTS["offers"].items())
def test_what_is_offered_is_the_narrowest_useful_rule_and_is_enough(
    command: str, expected: list[str]
) -> None:
    files = MemoryFiles(WITH_SECRETS)
    offered = [offer.text for offer in offers(bash(command), policy_of(), files)]
    assert offered == expected
    if offered:
        assert decide(bash(command), policy_of(offered), files).behavior == "allow"


@pytest.mark.parametrize(("expected", "behavior", "text"), TEXTS["rules"])
def test_a_rule_that_is_wrong_or_doubtful_says_so(expected: str, behavior: str, text: str) -> None:
    lists: dict[str, list[str]] = {"allow": [], "deny": [], "ask": [], behavior: [text]}
    problems = policy_of(lists["allow"], lists["deny"], lists["ask"]).problems
    errors = [problem for problem in problems if problem.is_error]
    warnings = [problem for problem in problems if not problem.is_error]
    assert ("error" if errors else "warn" if warnings else "") == expected
    assert all(problem.advice and problem.source.line == 1 for problem in problems)
