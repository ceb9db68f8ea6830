"""Files that are no plans at all: each obstacle has a sentence of its own, and none costs much."""

import os
import time
from pathlib import Path

import pytest

from swarm.leader.plan.errors import Problem
from swarm.leader.plan.load import check_plan
from swarm.leader.plan.source import SIZE_CAP

SOUND = "version: 1\nworkers: {a: {steps: [{say: hi}]}}\n"


def check(tmp_path: Path, content: str | bytes) -> Problem:
    file = tmp_path / "plan.yaml"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    (problem,) = check_plan(file)
    return problem


YAML_CASES = {
    "empty": ("", (0, 0), "empty"),
    "only a comment": ("# nothing\n", (0, 0), "empty"),
    "a tab": ("version: 1\nworkers:\n\ta: {}\n", (3, 1), "tab"),
    "two documents": (SOUND + "---\nversion: 1\n", (3, 1), "second document"),
    "a key twice": ("version: 1\nversion: 1\nworkers: {a: {steps: [{say: hi}]}}\n", (2, 1), "second time"),
    "a number as a key": (SOUND.replace("}}\n", "}, 5: {}}\n"), (2, 36), "must be text"),
    "a list as a key": (
        "version: 1\n? [a]\n: 1\nworkers: {a: {steps: [{say: hi}]}}\n",
        (2, 3),
        "must be text",
    ),
    "a merge key": (
        "version: 1\nworkers: {a: &x {steps: [{say: hi}]}, b: {<<: *x, steps: [{say: hi}]}}\n",
        (2, 43),
        "no merge keys",
    ),
    "a tag that would run code": (SOUND.replace("hi", "!!python/object:os.system hi"), (2, 29), "no tags"),
    "an unknown alias": (SOUND.replace("hi", "*nope"), (2, 29), "never defined"),
    "an open bracket": ("version: 1\nworkers: {a: 1\n", (3, 1), "not YAML"),
    "an open quote": ("version: 1\nname: 'x\n", (2, 7), "never closed"),
    "a colon too many": ("version: 1\nname: a: b\n", (2, 8), "no key can be"),
    "a control character": ("version: 1\nname: \x01\n", (2, 7), "U+0001"),
    "an alias that holds itself": (SOUND.replace("[", "&x [*x , "), (2, 22), "nested too deeply"),
}


@pytest.mark.parametrize("name", YAML_CASES)
def test_what_is_no_sound_yaml_is_told_with_its_place(tmp_path: Path, name: str) -> None:
    content, place, found = YAML_CASES[name]
    problem = check(tmp_path, content)
    assert (problem.line, problem.column) == place, str(problem)
    assert found in problem.text


def test_bytes_that_are_not_utf_8_are_told_with_their_place(tmp_path: Path) -> None:
    problem = check(tmp_path, "version: 1\nname: ä".encode() + b"\xff\n")
    assert (problem.line, problem.column) == (2, 8)
    assert "0xff" in problem.text


def test_deep_nesting_ends_with_a_sentence(tmp_path: Path) -> None:
    assert "nested too deeply" in check(tmp_path, "[" * 5000).text


def test_aliases_that_grow_without_bound_are_stopped(tmp_path: Path) -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12)]
    assert "too large" in check(tmp_path, "\n".join(lines)).text


def test_a_huge_file_is_refused_unread(tmp_path: Path) -> None:
    assert "too large" in check(tmp_path, b"#" * (SIZE_CAP + 1)).text


def test_a_missing_file_brings_up_its_nearest_neighbour(tmp_path: Path) -> None:
    (tmp_path / "release.yaml").write_text(SOUND, encoding="utf-8")
    (problem,) = check_plan(tmp_path / "relase.yaml")
    assert "no such file" in problem.text
    assert "release.yaml?" in problem.expected


def test_a_missing_folder_is_told(tmp_path: Path) -> None:
    (problem,) = check_plan(tmp_path / "nowhere" / "plan.yaml")
    assert "nowhere" in problem.expected


def test_a_folder_brings_up_the_plans_in_it(tmp_path: Path) -> None:
    (tmp_path / "one.yaml").write_text(SOUND, encoding="utf-8")
    (problem,) = check_plan(tmp_path)
    assert "folder" in problem.text
    assert "one.yaml" in problem.expected


def test_a_pipe_is_no_plan_and_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "plan.yaml")
    (problem,) = check_plan(tmp_path / "plan.yaml")
    assert "not a regular file" in problem.text


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_says_why(tmp_path: Path) -> None:
    (tmp_path / "plan.yaml").touch(mode=0)
    (problem,) = check_plan(tmp_path / "plan.yaml")
    assert "Permission denied" in problem.text


def test_a_thousand_workers_in_one_chain_are_checked_in_seconds(tmp_path: Path) -> None:
    lines = ["version: 1", "workers:", "  w0: {steps: [{say: hi}]}"]
    lines += [
        f"  w{n}: {{needs: [w{n - 1}], permissions: {{allow: ['Bash(echo {n})']}},"
        f" steps: [{{say: '${{tasks.w0.result}}'}}]}}"
        for n in range(1, 1000)
    ]
    file = tmp_path / "plan.yaml"
    file.write_text("\n".join(lines), encoding="utf-8")
    started = time.process_time()
    assert check_plan(file) == []
    assert time.process_time() - started < 10
