"""Makes or mends the checkout's own .venv from a lock. Standard library only; run by environment.sh.

The stamp is written last, so an installation that was cut off is seen and made again; a lock on a file
keeps two at once apart.
"""

import contextlib
import fcntl
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
INSTALLED = VENV / "installed"
UNFINISHED = VENV / "unfinished"
LOG = ROOT / ".venv.log"
LOCKS = {"runtime": "requirements.lock", "dev": "requirements-dev.lock"}


class InstallError(Exception):
    """The environment could not be made. The text says why, where and what to do."""


def is_ready(kind: str) -> bool:
    """Whether the environment is what the files say now: another process may just have made it."""
    installed, place = read_stamp()
    if not PYTHON.exists() or place != str(ROOT) or (kind, installed) not in SUITABLE:
        return False
    pairs = {"lock": LOCKS[installed], "pyproject.toml": "pyproject.toml"}
    return all(same(INSTALLED / copy, ROOT / name) for copy, name in pairs.items())


SUITABLE = {("runtime", "runtime"), ("runtime", "dev"), ("dev", "dev")}


def read_stamp() -> tuple[str, str]:
    """Give what is installed and where it was, or two empty texts."""
    try:
        kind, place = (INSTALLED / "stamp").read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        return "", ""
    return kind, place


def same(one: Path, other: Path) -> bool:
    """Whether both files are there and hold the same."""
    try:
        return one.read_bytes() == other.read_bytes()
    except OSError:
        return False


@contextlib.contextmanager
def alone() -> Iterator[None]:
    """Hold the checkout's installation lock; the system frees it whenever this process ends."""
    with (ROOT / ".venv.lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("Another start is setting up Swarm's environment; waiting for it.\n")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def say(text: str) -> None:
    """Tell the person, on stderr: stdout belongs to the program's own output."""
    sys.stderr.write(text)
    sys.stderr.flush()


def clean_environment() -> dict[str, str]:
    """Give the environment for the installers: nothing in it may turn them to another place."""
    dropped = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "PIP_TARGET", "PIP_PREFIX", "PIP_USER")
    env = {name: value for name, value in os.environ.items() if name not in dropped}
    if not env.get("HOME") or not os.access(env["HOME"], os.W_OK):
        env |= {"HOME": str(VENV / "home"), "UV_NO_CACHE": "1"}
    return env


def run(command: list[str], log: IO[bytes], env: Mapping[str, str]) -> bool:
    """Run one step with its output in the log; give whether it succeeded."""
    log.write(f"\n$ {' '.join(command)}\n".encode())
    log.flush()
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=env, cwd=ROOT)
    return done.returncode == 0


def find_uv() -> str | None:
    """Give the path of a uv that works; a shim that only complains does not count."""
    path = shutil.which("uv")
    if path and subprocess.run([path, "--version"], capture_output=True).returncode == 0:
        return path
    return None


def install_with_uv(uv: str, lock: str, log: IO[bytes], env: Mapping[str, str]) -> bool:
    """Make the environment if there is none, and install with uv."""
    target = [uv, "pip", "install", "--quiet", "--python", str(PYTHON)]
    return (
        (PYTHON.exists() or run([uv, "venv", "--quiet", "--python", sys.executable, str(VENV)], log, env))
        and mark_unfinished()
        and run([*target, "--require-hashes", "-r", lock], log, env)
        and run([*target, "--no-deps", "--no-build-isolation", "-e", str(ROOT)], log, env)
    )


def make_for_pip(log: IO[bytes], env: Mapping[str, str]) -> list[str]:
    """Make the environment if there is none; give the command of a pip that installs into it, or nothing.

    The Python's own pip is taken where there is one, since giving the environment a pip takes seconds.
    """
    own = [str(PYTHON), "-I", "-m", "pip"]
    outer = [sys.executable, "-I", "-m", "pip", "--python", str(PYTHON)]
    make = [sys.executable, "-I", "-m", "venv", "--clear", str(VENV)]
    if PYTHON.exists() and run([*own, "--version"], log, env):
        return own
    if not PYTHON.exists() and not run([*make, "--without-pip"], log, env):
        return []
    if run([*outer, "--version"], log, env):
        return outer
    return own if run(make, log, env) else []


def install_with_pip(lock: str, log: IO[bytes], env: Mapping[str, str]) -> bool:
    """Make the environment if there is none, and install with pip."""
    pip = make_for_pip(log, env)
    install = [*pip, "install", "--quiet", "--disable-pip-version-check", "--no-input"]
    return (
        bool(pip)
        and mark_unfinished()
        and run([*install, "--require-hashes", "-r", lock], log, env)
        and run([*install, "--no-deps", "--no-build-isolation", "-e", str(ROOT)], log, env)
    )


def mark_unfinished() -> bool:
    """Say that the environment is being changed: what is found so by the next start is made anew."""
    UNFINISHED.touch()
    return True


def install(kind: str) -> str:
    """Make the environment, by uv or else by pip; give the name of the one that did it."""
    if UNFINISHED.exists() or not PYTHON.exists() or read_stamp()[1] not in ("", str(ROOT)):
        shutil.rmtree(VENV, ignore_errors=True)
    shutil.rmtree(INSTALLED, ignore_errors=True)
    lock = LOCKS[kind]
    env = clean_environment()
    with LOG.open("wb") as log:
        uv = find_uv()
        if uv and install_with_uv(uv, lock, log, env):
            return "uv"
        if install_with_pip(lock, log, env):
            return "pip"
    tail = LOG.read_text(encoding="utf-8", errors="replace").strip().splitlines()[-5:]
    raise InstallError(
        "Swarm's environment could not be made. The last lines of what was tried:\n  "
        + "\n  ".join(tail)
        + f"\nAll of it is in {LOG}. If the venv module or pip is missing, install it "
        "(for example apt-get install python3-venv) or uv; if a download failed, repeat the command."
    )


def write_stamp(kind: str) -> None:
    """Keep what was installed, from which files and where. The stamp itself comes last."""
    INSTALLED.mkdir()
    shutil.copyfile(ROOT / LOCKS[kind], INSTALLED / "lock")
    shutil.copyfile(ROOT / "pyproject.toml", INSTALLED / "pyproject.toml")
    UNFINISHED.unlink(missing_ok=True)
    (INSTALLED / "stamp.new").write_text(f"{kind}\n{ROOT}\n", encoding="utf-8")
    (INSTALLED / "stamp.new").replace(INSTALLED / "stamp")


def prepare(kind: str) -> None:
    """Make the environment hold `kind`, unless it does. What a checkout was given for tests it keeps."""
    with alone():
        if is_ready(kind):
            return
        kind = "dev" if read_stamp()[0] == "dev" else kind
        started = time.monotonic()
        version = ".".join(map(str, sys.version_info[:2]))
        say(f"Setting up Swarm's environment in .venv with Python {version}, this once ... ")
        try:
            tool = install(kind)
            write_stamp(kind)
        except BaseException:
            say("failed.\n")
            raise
        say(f"done by {tool} in {time.monotonic() - started:.0f} s.\n")


def main() -> int:
    """Prepare what the command line names; give the exit code."""
    try:
        prepare(sys.argv[1])
    except InstallError as error:
        say(f"{error}\n")
    except OSError as error:
        say(
            f"Swarm's environment cannot be written: {error}. Put the checkout where you can write and "
            "where there is room, or install it elsewhere with `pip install` and its path.\n"
        )
    except KeyboardInterrupt:
        say("Interrupted; the next start makes it anew.\n")
        return 130
    else:
        return 0
    return 1


if __name__ == "__main__":
    sys.exit(main())
