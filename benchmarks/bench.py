"""Runs benchmarks by name and prints their figures: the program behind `scripts/bench`.

Each runs as a process of its own, alone, and is ended with all it started when its time is over.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from figures import Figure, as_json, from_json, table

HERE = Path(__file__).resolve().parent


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A file of this folder. `seconds` is how long it may take at most."""

    file: str
    says: str
    seconds: float


BENCHMARKS = {
    "ipc": Benchmark("ipc.py", "round trips: the pipe, the channel, gate to gate; events received", 300),
    "rules": Benchmark("rules.py", "one decision by rule: many rules, long commands", 120),
    "start": Benchmark("start.py", "a worker's start and memory; `swarm --help`; the first paint", 300),
    "workers": Benchmark("workers.py", "50 workers at once: time, and the leader's memory", 300),
    "flood": Benchmark("flood.py", "how long a request takes while 64 workers stream", 300),
    "mailbox": Benchmark("mailbox.py", "letters: how soon, how many, and what waiting costs", 300),
    "journal": Benchmark(
        "journal.py", "a journal of a million entries: going on with it, verifying it", 300
    ),
    "screen": Benchmark("screen.py", "what the screen costs with 64 workers; key to paint", 300),
}
FAILED, USAGE = 1, 2


class BenchmarkFailed(Exception):
    """A benchmark came to no end or no figures."""

    def __init__(self, name: str, problem: str) -> None:
        super().__init__(name, problem)
        self.name = name
        self.problem = problem

    def __str__(self) -> str:
        return f"{self.name}: {self.problem}"


def run(name: str) -> list[Figure]:
    """Run one benchmark. Raises BenchmarkFailed."""
    benchmark = BENCHMARKS[name]
    command = [sys.executable, "-E", str(HERE / benchmark.file), "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True) as child:
        try:
            output, _ = child.communicate(timeout=benchmark.seconds)
        except subprocess.TimeoutExpired:
            raise BenchmarkFailed(name, f"it did not end within {benchmark.seconds:.0f} s") from None
        finally:
            end_group(child.pid)
    if child.returncode:
        raise BenchmarkFailed(name, f"it ended with exit status {child.returncode}")
    return [from_json(line) for line in output.splitlines()]


def end_group(leader: int) -> None:
    """End whatever is left of a process group."""
    try:
        os.killpg(leader, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return


def load() -> str:
    """Say how busy the machine is: a figure taken beside others' work says little."""
    return f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"


def show(name: str, figures: list[Figure], as_lines: bool) -> None:
    """Print what one benchmark found."""
    if as_lines:
        for figure in figures:
            print(json.dumps({"benchmark": name, **json.loads(as_json(figure))}), flush=True)
        return
    print(f"{name}: {BENCHMARKS[name].says}")
    for line in table(figures):
        print(f"  {line}", flush=True)


def main() -> int:
    """Run what the command line names; give the exit code."""
    parser = argparse.ArgumentParser(prog="scripts/bench", description="Measure Swarm on this machine.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="a benchmark, or `all`")
    parser.add_argument("--json", action="store_true", help="print one JSON object a figure")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.names if name not in (*BENCHMARKS, "all")]
    if unknown or not arguments.names:
        if unknown:
            print(f"No benchmark is called {', '.join(unknown)}. There are:", file=sys.stderr)
        for name, benchmark in BENCHMARKS.items():
            print(f"  {name:<8} {benchmark.says}", file=sys.stderr if unknown else sys.stdout)
        return USAGE if unknown else 0
    names = list(BENCHMARKS) if "all" in arguments.names else list(dict.fromkeys(arguments.names))
    return run_all(names, arguments.json)


def run_all(names: list[str], as_lines: bool) -> int:
    """Run these one after another; give 1 if one of them failed."""
    failed = False
    for name in names:
        if not as_lines:
            print(f"({load()})", flush=True)
        try:
            show(name, run(name), as_lines)
        except BenchmarkFailed as error:
            print(error, file=sys.stderr)
            failed = True
    return FAILED if failed else 0


if __name__ == "__main__":
    sys.exit(main())
