"""Measures what starting costs: a worker beside bare interpreters, `swarm --help`, the first paint.

Starts are taken in turns, and the median counts. Memory is read when the process waits: resident, and
its own (USS), which is what one more worker takes from the machine.
"""

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from statistics import median

import psutil
from figures import Figure, report
from first_paint import time_to_paint

from swarm.ipc.codec import Role
from swarm.ipc.connection import Connection
from swarm.ipc.messages import PermissionRequest, Start
from swarm.leader.core.launcher import WORKER_COMMAND

TURNS = 5
WAIT = "import sys; print(flush=True); sys.stdin.read()"
BARE: dict[str, list[str]] = {
    "bare interpreter": [sys.executable, "-E", "-P", "-c", WAIT],
    "with asyncio": [sys.executable, "-E", "-P", "-c", f"import asyncio; {WAIT}"],
    "with asyncio and orjson": [sys.executable, "-E", "-P", "-c", f"import asyncio, orjson; {WAIT}"],
}
IMPORT = re.compile(r"import time:\s*(\d+) \|\s*\d+ \| (\s*)([\w.]+)")


@dataclass(frozen=True, slots=True)
class Started:
    """One start: seconds to the first line, then bytes of resident and of own memory."""

    seconds: float
    resident: float
    own: float


def start(command: Sequence[str], settle: Callable[[subprocess.Popen[bytes], bytes], None]) -> Started:
    """Start `command`, read its first line, let it `settle`, weigh it, and end it by closing its input."""
    began = time.perf_counter()
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, bufsize=0, **pipes) as child:  # type: ignore[call-overload] # one dict
        line = child.stdout.readline()
        seconds = time.perf_counter() - began
        settle(child, line)
        memory = psutil.Process(child.pid).memory_full_info()
        child.stdin.close()
        child.stdout.close()
    return Started(seconds, memory.rss, memory.uss)


def stay(child: subprocess.Popen[bytes], line: bytes) -> None:
    """A bare interpreter waits already."""


def work(child: subprocess.Popen[bytes], line: bytes) -> None:
    """Give a worker its work and wait until it asks: then it is an idle worker as there are in a run."""
    assert child.stdin is not None
    assert child.stdout is not None
    connection = Connection(Role.LEADER)
    found = connection.receive_data(line)
    step = {"bash": {"command": "true"}}
    child.stdin.write(connection.send(Start(1, "worker", "script", {"steps": [step]}, os.getcwd())))
    while not any(isinstance(message, PermissionRequest) for message in found):
        found = connection.receive_data(child.stdout.readline())


def medians(starts: Sequence[Started]) -> Started:
    """Give the median of each part."""
    return Started(
        median(one.seconds for one in starts),
        median(one.resident for one in starts),
        median(one.own for one in starts),
    )


def starts() -> dict[str, Started]:
    """Start everything in turns."""
    found: dict[str, list[Started]] = {name: [] for name in (*BARE, "worker")}
    for _ in range(TURNS):
        for name, command in BARE.items():
            found[name].append(start(command, stay))
        found["worker"].append(start(WORKER_COMMAND, work))
    return {name: medians(each) for name, each in found.items()}


def start_figures() -> list[Figure]:
    """Give time and memory of each, held against the interpreter with asyncio."""
    found = starts()
    limit, libraries = found["with asyncio"], found["with asyncio and orjson"]
    against = "with asyncio"
    figures = [
        Figure(f"start: {name}", each.seconds, limit=limit.seconds, against=against)
        for name, each in found.items()
        if name != "worker"
    ]
    worker = found["worker"]
    figures.append(
        Figure(
            "start: worker, spawn to hello", worker.seconds, "s", libraries.seconds, "asyncio and orjson"
        )
    )
    for name, each in found.items():
        what = "worker that waits for an answer" if name == "worker" else name
        budget = 1.6 if name == "worker" else None
        figures.append(Figure(f"own memory: {what}", each.own, "B", limit.own, against, budget))
        figures.append(Figure(f"  resident: {what}", each.resident, "B", limit.resident, against))
    return figures


def import_times(arguments: Sequence[str]) -> dict[str, float]:
    """Give the seconds that each module took by itself, as `python -X importtime` says."""
    command = [sys.executable, "-X", "importtime", "-E", "-P", *arguments]
    ran = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=30)
    return {found[3]: int(found[1]) / 1e6 for found in IMPORT.finditer(ran.stderr)}


def is_third_party(name: str) -> bool:
    """Whether a top-level module comes with an installed package, and is not ours."""
    spec = None if name == "swarm" else find_spec(name)
    return bool(spec and spec.origin and "site-packages" in spec.origin)


def import_figures() -> list[Figure]:
    """Give what importing the worker takes, beside asyncio alone, and which packages that loads."""
    loading = ["-c", "import swarm.worker.process"]
    worker = [import_times(loading) for _ in range(TURNS)]
    bare = [import_times(["-c", "import asyncio"]) for _ in range(TURNS)]
    total, alone = (median(sum(each.values()) for each in runs) for runs in (worker, bare))
    found = {name.partition(".")[0] for name in worker[0].keys() - bare[0].keys()}
    packages = [name for name in sorted(found) if is_third_party(name)]
    return [
        Figure("imports of the worker, -X importtime", total, limit=alone, against="import asyncio"),
        Figure(f"packages loaded: {', '.join(packages)}", len(packages), "packages"),
    ]


def command_figures() -> list[Figure]:
    """Give how long the command line takes to its help, and the screen to its first picture."""
    program = str(Path(sys.executable).with_name("swarm"))
    bare, help_, paint = [], [], []
    for _ in range(TURNS):
        bare.append(time_of([sys.executable, "-c", "pass"]))
        help_.append(time_of([program, "--help"]))
        paint.append(time_to_paint(program))
    return [
        Figure("python -c pass", median(bare)),
        Figure("swarm --help", median(help_), budget=0.15),
        Figure("swarm run to the first paint", median(paint), budget=0.6),
    ]


def time_of(command: Sequence[str]) -> float:
    """Give how long a command takes."""
    began = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True, timeout=30)
    return time.perf_counter() - began


def figures() -> list[Figure]:
    """Measure all."""
    return [*start_figures(), *import_figures(), *command_figures()]


if __name__ == "__main__":
    report(figures)
