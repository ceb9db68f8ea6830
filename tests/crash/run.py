"""`scripts/crash_test`: strikes a session at every point of its life and tells what became of it."""

import argparse
import json
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import anyio

sys.path.insert(0, str(Path(__file__).parent.parent))

from crash.points import Point, all_points
from crash.trial import Ran, run_trial, struck
from crash.verdict import problems_of


def choose(arguments: argparse.Namespace) -> list[Point]:
    """Give the points to be tried, in an order that the seed decides."""
    points = [point for point in all_points() if arguments.only in str(point)]
    random.Random(arguments.seed).shuffle(points)
    return points[: arguments.points or None]


class Report:
    """Counts and prints what comes out."""

    def __init__(self, total: int, as_json: bool, keep: bool) -> None:
        self.failed = 0
        self.missed = 0
        self.done = 0
        self._total = total
        self._as_json = as_json
        self._keep = keep

    def take(self, ran: Ran, seconds: float) -> None:
        """Judge one trial and say so."""
        problems = problems_of(ran)
        self.done += 1
        self.failed += bool(problems)
        self.missed += not struck(ran)
        if self._as_json:
            result = {
                "point": str(ran.point),
                "struck": struck(ran),
                "codes": ran.codes,
                "problems": problems,
            }
            self._say(json.dumps(result))
        else:
            word = "FAILED" if problems else "ok" if struck(ran) else "not reached"
            self._say(f"{self.done:4}/{self._total} {seconds:5.1f} s  {ran.point}  {word}")
            for problem in problems:
                self._say(f"          {problem}")
        if problems and self._keep:
            self._say(f"          kept in {ran.folder}")
        else:
            shutil.rmtree(ran.folder, ignore_errors=True)

    def summary(self) -> str:
        """Give the last line."""
        passed = self.done - self.failed
        return f"{passed} of {self.done} points passed; {self.missed} were not reached."

    def _say(self, line: str) -> None:
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()


async def run_all(points: Sequence[Point], jobs: int, report: Report) -> None:
    """Run the trials, `jobs` at a time."""
    waiting = list(reversed(points))

    async def work() -> None:
        while waiting:
            point = waiting.pop()
            began = time.monotonic()
            ran = await run_trial(point, Path(tempfile.mkdtemp(prefix="swarm-crash-")))
            report.take(ran, time.monotonic() - began)

    async with anyio.create_task_group() as tasks:
        for _ in range(jobs):
            tasks.start_soon(work)


def main() -> int:
    """Run what the arguments choose; 1 if a point failed."""
    parser = argparse.ArgumentParser(prog="crash_test", description=__doc__)
    parser.add_argument(
        "--seed", type=int, default=1, help="decides the order, and which points --points takes"
    )
    parser.add_argument("--points", type=int, default=0, help="how many points to try; all without it")
    parser.add_argument("--only", default="", help="only points whose name contains this text")
    parser.add_argument("--jobs", type=int, default=2, help="how many trials run at once")
    parser.add_argument("--json", action="store_true", help="one JSON object a line for each point")
    parser.add_argument("--keep", action="store_true", help="keep the folders of trials that failed")
    parser.add_argument("--list", action="store_true", help="list the points and end")
    arguments = parser.parse_args()
    points = choose(arguments)
    if arguments.list:
        sys.stdout.write("".join(f"{point}\n" for point in points))
        return 0
    report = Report(len(points), arguments.json, arguments.keep)
    anyio.run(run_all, points, arguments.jobs, report)
    sys.stderr.write(f"{report.summary()}\n")
    return 1 if report.failed else 0


if __name__ == "__main__":
    sys.exit(main())
