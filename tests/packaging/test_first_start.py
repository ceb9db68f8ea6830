"""What the scripts do before Swarm runs: find a Python, make the environment once, and tell what fails."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parents[2] / "scripts"
TOOLS = ("cat", "cmp", "env", "readlink", "sh")
UNAVAILABLE = "no-such-package-anywhere==1.0 --hash=sha256:" + "0" * 64 + "\n"

pytestmark = pytest.mark.processes


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout of nothing but the scripts, in a folder with a blank in its name."""
    root = tmp_path / "a checkout"
    (root / "scripts").mkdir(parents=True)
    for name in ("swarm", "test", "environment.sh", "environment.py"):
        shutil.copy2(SCRIPTS / name, root / "scripts" / name)
    for name in ("requirements.lock", "requirements-dev.lock", "pyproject.toml"):
        (root / name).write_text("# the first\n", encoding="utf-8")
    return root


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """A folder for PATH with what the scripts may count on, and no Python or uv."""
    folder = tmp_path / "tools"
    folder.mkdir()
    for name in TOOLS:
        (folder / name).symlink_to(shutil.which(name) or pytest.fail(f"{name} is missing"))
    return folder


def add_command(folder: Path, name: str, text: str) -> None:
    (folder / name).write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    (folder / name).chmod(0o755)


def add_environment(checkout: Path, kind: str = "runtime", place: Path | None = None) -> None:
    """Make it look as if the environment had been installed; its Python tells how it was called."""
    installed = checkout / ".venv" / "installed"
    installed.mkdir(parents=True)
    (checkout / ".venv" / "bin").mkdir()
    add_command(checkout / ".venv" / "bin", "python", 'echo "ran $*"')
    lock = "requirements.lock" if kind == "runtime" else "requirements-dev.lock"
    shutil.copyfile(checkout / lock, installed / "lock")
    shutil.copyfile(checkout / "pyproject.toml", installed / "pyproject.toml")
    (installed / "stamp").write_text(f"{kind}\n{place or checkout.resolve()}\n", encoding="utf-8")


def start(script: Path, tools: Path, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    everything = {
        "PATH": str(tools),
        "HOME": "",
        "PIP_NO_INDEX": "1",
        "TMPDIR": os.environ["TMPDIR"],
        **env,
    }
    return subprocess.run(
        [script, *arguments], cwd="/", env=everything, capture_output=True, text=True, timeout=50
    )


@pytest.mark.parametrize("kind", ["runtime", "dev"])
def test_a_ready_environment_is_used_at_once(checkout: Path, tools: Path, kind: str) -> None:
    add_environment(checkout, kind)
    done = start(checkout / "scripts" / "swarm", tools, "run", "a b.yaml")
    assert done.stdout == "ran -E -P -m swarm run a b.yaml\n"
    assert done.stderr == ""


def test_a_link_to_the_script_finds_its_checkout(checkout: Path, tools: Path, tmp_path: Path) -> None:
    add_environment(checkout)
    (tmp_path / "link").symlink_to(checkout / "scripts" / "swarm")
    assert start(tmp_path / "link", tools).stdout == "ran -E -P -m swarm\n"


def change_lock(checkout: Path) -> None:
    (checkout / "requirements.lock").write_text("# the second\n", encoding="utf-8")


def change_project(checkout: Path) -> None:
    (checkout / "pyproject.toml").write_text("# the second\n", encoding="utf-8")


def remove_python(checkout: Path) -> None:
    (checkout / ".venv" / "bin" / "python").unlink()


def remove_stamp(checkout: Path) -> None:
    (checkout / ".venv" / "installed" / "stamp").unlink()


def move(checkout: Path) -> None:
    (checkout / ".venv" / "installed" / "stamp").write_text("runtime\n/elsewhere\n", encoding="utf-8")


@pytest.mark.parametrize("change", [change_lock, change_project, remove_python, remove_stamp, move])
def test_an_environment_that_no_longer_fits_is_not_used(
    checkout: Path, tools: Path, change: Callable[[Path], None]
) -> None:
    add_environment(checkout)
    change(checkout)
    add_command(tools, "python3", 'case $* in *-c*) ;; *) echo "prepares $3" >&2; exit 7 ;; esac')
    done = start(checkout / "scripts" / "swarm", tools)
    assert (done.returncode, done.stderr, done.stdout) == (7, "prepares runtime\n", "")


def test_tests_need_more_than_the_program(checkout: Path, tools: Path) -> None:
    add_environment(checkout, "runtime")
    add_command(tools, "python3", 'case $* in *-c*) ;; *) echo "prepares $3" >&2; exit 7 ;; esac')
    assert start(checkout / "scripts" / "test", tools).stderr == "prepares dev\n"


def test_a_newer_python_is_found_behind_an_old_one(checkout: Path, tools: Path) -> None:
    add_command(tools, "python3", "exit 1")
    add_command(tools, "python3.12", 'case $* in *-c*) ;; *) echo "this one"; exit 7 ;; esac')
    assert start(checkout / "scripts" / "swarm", tools).stdout == "this one\n"


def test_without_a_python_it_says_what_to_install(checkout: Path, tools: Path) -> None:
    add_command(tools, "python3", "exit 1")
    done = start(checkout / "scripts" / "swarm", tools)
    assert done.returncode == 1
    assert "Python 3.11 or newer" in done.stderr
    assert "apt-get install" in done.stderr


def test_a_failed_installation_shows_its_log_and_is_made_anew(checkout: Path, tools: Path) -> None:
    (tools / "python3").symlink_to(sys.executable)
    (checkout / "requirements.lock").write_text(UNAVAILABLE, encoding="utf-8")
    for attempt in ("first", "second"):
        done = start(checkout / "scripts" / "swarm", tools)
        assert (done.returncode, done.stdout) == (1, "")
        assert "no-such-package-anywhere" in done.stderr
        assert str(checkout / ".venv.log") in done.stderr
        assert not (checkout / ".venv" / "installed").exists()
        assert not (checkout / ".venv" / "first").exists()
        (checkout / ".venv" / attempt).touch()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_checkout_that_cannot_be_written_says_so(checkout: Path, tools: Path) -> None:
    (tools / "python3").symlink_to(sys.executable)
    checkout.chmod(0o555)
    done = start(checkout / "scripts" / "swarm", tools)
    checkout.chmod(0o755)
    assert done.returncode == 1
    assert "cannot be written" in done.stderr
