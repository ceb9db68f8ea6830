"""Whether a session has a leader, and what a worker does about it."""

import fcntl
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from swarm.ipc.leader_presence import LeaderMark, present_leader
from swarm.ipc.leader_watch import PATIENCE, Finding, LeaderWatch

ONE, TWO = LeaderMark(1, 1.0), LeaderMark(2, 2.0)


def named(folder: Path, pid: int) -> None:
    (folder / "leader.json").write_text(json.dumps({"pid": pid, "process_started": 7.5, "name": "x"}))


@pytest.fixture
def lock(tmp_path: Path) -> Iterator[int]:
    descriptor = os.open(tmp_path / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    yield descriptor
    os.close(descriptor)


def test_who_holds_the_lock_and_has_said_who_it_is_leads(tmp_path: Path, lock: int) -> None:
    named(tmp_path, os.getpid())
    assert present_leader(tmp_path) == LeaderMark(os.getpid(), 7.5)


def test_without_its_lock_nobody_leads(tmp_path: Path, lock: int) -> None:
    named(tmp_path, os.getpid())
    fcntl.flock(lock, fcntl.LOCK_UN)
    assert present_leader(tmp_path) is None


def test_a_process_that_is_gone_leads_nothing_and_its_lock_is_not_touched(tmp_path: Path) -> None:
    done = subprocess.Popen([sys.executable, "-c", ""])
    done.wait()
    named(tmp_path, done.pid)
    (tmp_path / "lock").mkdir()  # which could not be opened as a lock is
    assert present_leader(tmp_path) is None


@pytest.mark.parametrize("content", ["", "{", "[]", '{"pid":"x","process_started":1}', '{"pid":-1}'])
def test_what_cannot_be_read_names_no_leader(tmp_path: Path, lock: int, content: str) -> None:
    (tmp_path / "leader.json").write_text(content)
    assert present_leader(tmp_path) is None


@pytest.mark.parametrize("pid", [0, -1, 2**40])
def test_no_strange_number_is_a_leader(tmp_path: Path, lock: int, pid: int) -> None:
    named(tmp_path, pid)
    assert present_leader(tmp_path) is None


def test_a_folder_without_anything_has_no_leader(tmp_path: Path) -> None:
    assert present_leader(tmp_path / "none") is None


def test_a_hello_to_nobody_is_for_whoever_comes_first() -> None:
    watch = LeaderWatch()
    watch.greeted(None)
    assert [watch.look(mark) for mark in (None, ONE, ONE)] == [Finding.NOTHING] * 3
    assert watch.look(TWO) is Finding.GREET


def test_a_leader_that_does_not_answer_is_greeted_again() -> None:
    watch = LeaderWatch()
    watch.greeted(ONE)
    found = [watch.look(ONE) for _ in range(PATIENCE)]
    assert found == [Finding.NOTHING] * (PATIENCE - 1) + [Finding.GREET]


def test_a_leader_that_came_and_went_is_told_once() -> None:
    watch = LeaderWatch()
    watch.greeted(None)
    assert [watch.look(mark) for mark in (ONE, None, None)] == [
        Finding.NOTHING,
        Finding.WENT,
        Finding.NOTHING,
    ]


@pytest.mark.parametrize("now", [None, TWO])
def test_the_loss_of_who_went_on_is_found(now: LeaderMark | None) -> None:
    watch = LeaderWatch()
    watch.adopted(ONE)
    assert watch.look(ONE) is Finding.NOTHING
    assert watch.look(now) is Finding.LOST
