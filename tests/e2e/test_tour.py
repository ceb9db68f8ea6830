"""The tour that the documentation tells of really goes the way it says."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TOUR = Path(__file__).parents[2] / "examples" / "tour"


@pytest.fixture
def tour(tmp_path: Path) -> Path:
    """A copy of the tour as a fresh checkout has it."""
    target = tmp_path / "the tour"
    shutil.copytree(TOUR, target, ignore=shutil.ignore_patterns(".venv", "__pycache__", "work", ".swarm"))
    (target / "work").mkdir()
    return target


def run_headless(plan: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-E", "-P", "-m", "swarm", "run", str(plan), "--headless"]
    env = {**os.environ, "SWARM_PYTHON": sys.executable}
    return subprocess.run(
        command, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=50
    )


def read_project(tour: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in (tour / "project").rglob("*") if path.is_file()}


def test_by_rules_alone_it_mends_the_project_and_ends_with_0(tour: Path) -> None:
    done = run_headless(tour / "headless.yaml")
    assert done.returncode == 0, done.stdout + done.stderr
    summary = (tour / "work" / "shop" / "summary.md").read_text(encoding="utf-8")
    assert "1 failed, 9 passed" in summary
    assert "10 passed" in summary
    assert "Publishing was denied" in summary


def test_it_can_be_repeated_and_leaves_its_project_as_it_is(tour: Path) -> None:
    before = read_project(tour)
    (tour / "work" / "shop").mkdir()
    (tour / "work" / "shop" / "left.txt").write_text("from a run that was cut off", encoding="utf-8")
    done = run_headless(tour / "headless.yaml")
    assert done.returncode == 0, done.stdout + done.stderr
    assert not (tour / "work" / "shop" / "left.txt").exists()
    assert read_project(tour) == before


def test_with_nobody_to_ask_it_ends_with_3_and_the_rules_that_were_missing(tour: Path) -> None:
    done = run_headless(tour / "plan.yaml")
    assert done.returncode == 3, done.stdout + done.stderr
    assert "Edit(" in done.stdout
    assert not (tour / "work" / "shop" / "report.md").exists()
    assert "1 failed, 9 passed" in done.stdout
