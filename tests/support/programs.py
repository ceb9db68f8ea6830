"""The program as another process: run to its end, or started and looked after."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from support.waiting import wait_until

PROGRAM = (sys.executable, "-E", "-P", "-m", "swarm.leader.cli")
LIMIT = 50.0  # seconds; only reached when a test fails


@dataclass(frozen=True)
class Ran:
    """The exit code and what was printed."""

    code: int
    out: str
    err: str

    def objects(self) -> list[dict[str, Any]]:
        """Give the objects of stdout, which must hold one a line and nothing else."""
        return [json.loads(line) for line in self.out.splitlines()]


def swarm(*arguments: str, cwd: Path, preexec: Callable[[], None] | None = None, **environment: str) -> Ran:
    """Run the program to its end, with nothing on stdin; `environment` is added to this one."""
    done = subprocess.run(
        [*PROGRAM, *arguments],
        cwd=cwd,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=False,
        preexec_fn=preexec,
    )
    return Ran(done.returncode, done.stdout, done.stderr)


@dataclass
class Led:
    """A run of `plan.yaml` that is under way in `cwd`."""

    process: subprocess.Popen[str]
    cwd: Path

    def tree(self) -> list[psutil.Process]:
        """Give the leader and all below it."""
        leader = psutil.Process(self.process.pid)
        return [leader, *leader.children(recursive=True)]

    def pending(self, *arguments: str, count: int = 1) -> list[dict[str, Any]]:
        """Wait until `count` requests wait, and give them as `swarm pending --json` does."""
        found: list[dict[str, Any]] = []

        def come() -> bool:
            found[:] = swarm("pending", "--json", *arguments, cwd=self.cwd).objects()
            return len(found) >= count

        wait_until(come, LIMIT)
        return found

    def workers(self) -> list[psutil.Process]:
        """Give the workers' own processes."""
        return [child for child in psutil.Process(self.process.pid).children() if is_worker(child)]

    def kill(self) -> None:
        """Kill the leader as nothing can withstand, and see it gone."""
        self.process.kill()
        self.process.communicate(timeout=LIMIT)

    def end(self) -> Ran:
        """Wait for the end."""
        out, err = self.process.communicate(timeout=LIMIT)
        return Ran(self.process.returncode, out, err)


@contextmanager
def led(*arguments: str, cwd: Path, command: Sequence[str] = ("run", "plan.yaml")) -> Iterator[Led]:
    """Lead without a terminal in the background, as a rule `plan.yaml`; what still runs is stopped."""
    line = [*PROGRAM, *command, "--headless", *arguments]
    process = subprocess.Popen(
        line,
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        try:
            yield Led(process, cwd)
        finally:
            process.terminate()
            try:
                process.communicate(timeout=LIMIT)
            except ValueError:
                process.wait(LIMIT)


def is_worker(process: psutil.Process) -> bool:
    """Whether a process is that of a worker."""
    return "swarm.worker" in words_of(process)


def words_of(process: psutil.Process) -> list[str]:
    """Give the command line of a process; none of one that has ended meanwhile."""
    try:
        return process.cmdline()
    except psutil.NoSuchProcess:  # a zombie is one too
        return []


def living(processes: list[psutil.Process]) -> list[psutil.Process]:
    """Give those of the processes that are there and no zombies."""
    return [process for process in processes if is_alive(process)]


def is_alive(process: psutil.Process) -> bool:
    """Whether a process is there and no zombie."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
