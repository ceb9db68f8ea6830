"""Measures a whole run of many workers at once, headless: `python benchmarks/workers.py [WORKERS]`.

Each worker makes three calls that rules allow. Starting is held against starting as many bare
interpreters with asyncio in the same run.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from figures import Figure, report

WAIT = "import asyncio, sys; print(flush=True); sys.stdin.read()"
STEPS = "[{bash: sleep 2}, {glob: '*.yaml'}, {read: plan.yaml}]"
"""Two seconds are more than the last worker needs to be up: so all run at once."""
PERMISSIONS = '{allow: ["Bash(sleep:*)", "Read(/**)"]}'


def time_of_interpreters(count: int) -> float:
    """Give how long `count` interpreters take until all have written their first line.

    Each leads a session, as workers do: Linux shares the processor out by session.
    """
    began = time.perf_counter()
    command = [sys.executable, "-E", "-P", "-c", WAIT]
    pipe = subprocess.PIPE
    children = [
        subprocess.Popen(command, stdin=pipe, stdout=pipe, start_new_session=True) for _ in range(count)
    ]
    for child in children:
        assert child.stdout is not None
        child.stdout.readline()
    taken = time.perf_counter() - began
    for child in children:
        child.communicate()
    return taken


def write_plan(folder: Path, count: int) -> Path:
    """Write the plan of `count` workers that are all alike."""
    workers = "".join(f"  worker-{number}: {{steps: {STEPS}}}\n" for number in range(count))
    folder.mkdir()  # of its own: below a folder with the session in it, searching asks
    plan = folder / "plan.yaml"
    plan.write_text(f"version: 1\npermissions: {PERMISSIONS}\nworkers:\n{workers}", encoding="utf-8")
    return plan


def run(count: int) -> tuple[float, float, float]:
    """Give the seconds until all are running, those of the whole run, and the leader's most memory."""
    with tempfile.TemporaryDirectory() as name:
        home = {"HOME": name, "XDG_STATE_HOME": f"{name}/state", "XDG_CONFIG_HOME": f"{name}/config"}
        program = [sys.executable, "-E", "-P", "-m", "swarm", "run", "--json"]
        command = [*program, str(write_plan(Path(name) / "plan", count))]
        began = time.time()
        child = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env={**os.environ, **home}
        )
        assert child.stdout is not None
        events = [json.loads(line) for line in child.stdout]
        child.stdout.close()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        ended = time.time()
    if child.returncode:
        raise SystemExit(f"the run ended with {child.returncode}: the times mean nothing")
    up = max(event["at"] for event in events if event.get("phase") == "running")
    return up - events[0]["at"], ended - began, usage.ru_maxrss * 1024


def figures(count: int = 50) -> list[Figure]:
    """Measure the limit and the run."""
    limit = time_of_interpreters(count)
    up, whole, memory = run(count)
    against = f"{count} interpreters with asyncio"
    return [
        Figure(f"{count} workers up", up, limit=limit, against=against, budget=1.2),
        Figure("  the whole run, each worker sleeping 2 s", whole),
        Figure("  the leader's memory at most, resident", memory, "B"),
    ]


if __name__ == "__main__":
    numbers = [int(argument) for argument in sys.argv[1:] if argument.isdigit()]
    report(lambda: figures(*numbers))
