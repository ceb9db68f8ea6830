"""Every case of the corpus: rules, classifier and offers, each direction counted apart."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from swarm.permissions.classifier import classify
from swarm.permissions.engine import decide
from swarm.permissions.files import MemoryFiles
from swarm.permissions.model import Behavior, Folders, Layer, Mode, Request, RuleText, Source
from swarm.permissions.offers import offers
from swarm.permissions.policy import Policy, compile_policy

Case = dict[str, Any]
CORPUS = Path(__file__).parents[3] / "data" / "permissions.jsonl"
STRICTNESS = {"allow": 0, "ask": 1, "deny": 2}


def cases() -> list[Case]:
    return [json.loads(line) for line in CORPUS.read_text().split("\n") if line]


def policy_of(case: Case, granted: tuple[str, ...] = ()) -> Policy:
    rules = [
        RuleText(Behavior(name), text, Source(Layer.PROJECT, "settings.json", line, 1, case["cwd"]))
        for name in ("allow", "ask", "deny")
        for line, text in enumerate(case["settings"].get(name, []), 1)
    ]
    rules += [RuleText(Behavior.ALLOW, text, Source(Layer.SESSION)) for text in granted]
    return compile_policy(rules, Mode(case["mode"]), Folders(Path("/home/dev"), Path(case["cwd"])))


def request_of(case: Case) -> Request:
    return Request(case["call"]["tool"], case["call"]["input"], case["cwd"])


def files_of(case: Case) -> MemoryFiles:
    return MemoryFiles(case.get("files") or {})


def misses() -> Iterator[tuple[str, str]]:
    """Each case that came out otherwise, as (direction, what happened)."""
    for case in cases():
        found = decide(request_of(case), policy_of(case), files_of(case))
        off = STRICTNESS[found.behavior] - STRICTNESS[case["expect"]]
        if off:
            direction = "laxer" if off < 0 else "stricter"
            yield direction, f"{case['id']}: {case['expect']} expected, {found.behavior}: {found.why}"


def test_no_case_of_the_corpus_comes_out_laxer() -> None:
    assert [what for direction, what in misses() if direction == "laxer"] == []


def test_no_case_of_the_corpus_comes_out_stricter() -> None:
    assert [what for direction, what in misses() if direction == "stricter"] == []


@pytest.mark.parametrize(
    "case", [case for case in cases() if "classifier" in case], ids=lambda case: case["id"]
)
def test_the_classifier_says_of_each_case_what_is_expected(case: Case) -> None:
    found = classify(request_of(case), policy_of(case), files_of(case))
    assert ("safe" if found.safe else "unsure") == case["classifier"], found.why


@pytest.mark.parametrize(
    "case", [case for case in cases() if "offers" in case], ids=lambda case: case["id"]
)
def test_offers_are_among_those_expected_and_together_let_the_call_through(case: Case) -> None:
    offered = tuple(offer.text for offer in offers(request_of(case), policy_of(case), files_of(case)))
    assert set(offered) <= set(case["offers"])
    assert bool(offered) == bool(case["offers"])
    if offered:
        found = decide(request_of(case), policy_of(case, offered), files_of(case))
        assert found.behavior == "allow", found.why


@pytest.mark.parametrize(
    "case", [case for case in cases() if "warn" in case or "error" in case], ids=lambda case: case["id"]
)
def test_rules_that_cannot_be_read_or_miss_their_aim_are_reported(case: Case) -> None:
    problems = policy_of(case).problems
    if case.get("error"):
        assert any(problem.is_error for problem in problems)
    if case.get("warn"):
        assert any(not problem.is_error and problem.advice for problem in problems)
