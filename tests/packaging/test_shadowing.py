"""A user's own modules of our names, in the working directory and on PYTHONPATH, shadow nothing."""

import os
import subprocess
from pathlib import Path

import pytest

NAMES = ("worker", "ipc", "leader", "permissions", "swarm")


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A folder of modules each of which ends the program that imports it."""
    trap = "raise SystemExit('shadowed by ' + __file__)\n"
    for name in NAMES:
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text(trap, encoding="utf-8")
        (tmp_path / name / "__main__.py").write_text(trap, encoding="utf-8")
    (tmp_path / "logging.py").write_text(trap, encoding="utf-8")
    return tmp_path


def start(command: list[str], hostile: Path) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": str(hostile)}
    return subprocess.run(
        command, cwd=hostile, env=env, input="", capture_output=True, text=True, timeout=60
    )


def test_the_command_runs_our_own_modules(installed: Path, hostile: Path) -> None:
    done = start([str(installed / "bin" / "swarm"), "--help"], hostile)
    assert "shadowed" not in done.stdout + done.stderr
    assert done.returncode == 0, done.stderr
    assert "validate" in done.stdout


def test_the_module_runs_our_own_modules(installed: Path, hostile: Path) -> None:
    done = start([str(installed / "bin" / "python"), "-E", "-P", "-m", "swarm", "--help"], hostile)
    assert "shadowed" not in done.stdout + done.stderr
    assert done.returncode == 0, done.stderr


def test_a_worker_runs_our_own_modules(installed: Path, hostile: Path) -> None:
    done = start([str(installed / "bin" / "python"), "-E", "-P", "-m", "swarm.worker"], hostile)
    assert "shadowed" not in done.stdout + done.stderr
    assert '"type":"hello"' in done.stdout


def test_the_trap_itself_works(installed: Path, hostile: Path) -> None:
    done = start([str(installed / "bin" / "python"), "-c", "import swarm"], hostile)
    assert "shadowed by" in done.stderr


def test_pythonpath_still_reaches_the_programs_that_are_started(installed: Path, hostile: Path) -> None:
    code = "import os; print(os.environ['PYTHONPATH'])"
    done = start([str(installed / "bin" / "python"), "-E", "-P", "-c", code], hostile)
    assert done.stdout.strip() == str(hostile)
