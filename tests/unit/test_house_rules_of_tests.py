"""The guards around every test catch what they are there for."""

import subprocess
import sys
from pathlib import Path

import pytest

CONFTEST = Path(__file__).parents[1] / "conftest.py"

LEAVES_A_PROCESS = """
import subprocess, sys, pytest

@pytest.mark.processes
def test_it():
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"], start_new_session=True)
"""
LEAVES_A_FILE = """
import pytest, tempfile

@pytest.mark.processes
def test_it():
    tempfile.mkstemp()
"""
WRITES_TO_THE_HOME = """
import conftest

def test_it():
    (conftest.REAL_HOME / ".swarm").mkdir()
"""
LEAVES_NOTHING = """
import os, pytest, subprocess, sys
from pathlib import Path

@pytest.mark.processes
def test_it():
    subprocess.run([sys.executable, "-c", "pass"], check=True)
    (Path.home() / ".swarm").mkdir()
"""


def run_test(folder: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Run one test under the guards, with a home that stands for the real one; give pytest's output."""
    (folder / "real").mkdir()
    guards = CONFTEST.read_text(encoding="utf-8").replace("PATIENCE = 5.0", "PATIENCE = 0.3")
    (folder / "conftest.py").write_text(guards, encoding="utf-8")
    (folder / "test_it.py").write_text(text, encoding="utf-8")
    marker = "[pytest]\nmarkers = processes\naddopts = -p no:cacheprovider\npythonpath = .\n"
    (folder / "pytest.ini").write_text(marker, encoding="utf-8")
    monkeypatch.setenv("HOME", str(folder / "real"))
    monkeypatch.setenv("CI", "true")
    command = [
        sys.executable,
        "-E",
        "-P",
        "-m",
        "pytest",
        "-q",
        "--basetemp",
        str(folder / "base"),
        str(folder),
    ]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60).stdout


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (LEAVES_A_PROCESS, "left processes"),
        (LEAVES_A_FILE, "left temporary files"),
        (WRITES_TO_THE_HOME, "wrote to the real home"),
    ],
    ids=["a process", "a file", "the real home"],
)
def test_a_test_that_leaves_something_behind_is_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, complaint: str
) -> None:
    output = run_test(tmp_path, text, monkeypatch)
    assert complaint in output
    assert "1 error" in output


def test_a_test_that_cleans_up_passes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "1 passed" in run_test(tmp_path, LEAVES_NOTHING, monkeypatch)
