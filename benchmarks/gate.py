"""Measures a rule-decided call from the worker's gate to the leader and back: `python benchmarks/gate.py`.

Everything is real: the leader with its rules and journal, the worker's process with its runtime and
gate. Only the tool does nothing. The limit (1.0) is the blocking ping-pong of limit.py in the same run.
Of TURNS runs the quietest counts, for the limit as for the gate: what disturbs only adds.
"""

import os
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from statistics import median, quantiles
from typing import Any, ClassVar

import anyio
import msgspec
from figures import Figure, report
from limit import time_of_limit

from swarm.ipc.messages import Preview
from swarm.ipc.stdio import claim_stdio
from swarm.permissions.model import Decision
from swarm.worker.tools.base import Prepared, ToolContext, ToolOutput

CALLS = 1_500
WARM_UP = 500
TURNS = 3
COMMAND = "pytest -q tests/unit/ipc{} --maxfail=1 -k 'not slow and not network' --color=no"
OUTPUT = "SWARM_BENCHMARK_OUTPUT"


class Arguments(msgspec.Struct, frozen=True):
    """What the Bash tool takes, as far as it matters here."""

    command: str
    description: str = ""


class TimedTool:
    """A tool that does nothing but note when it was prepared and when it was run."""

    name: ClassVar[str] = "Bash"
    input_type = Arguments

    def __init__(self) -> None:
        self.times: list[float] = []
        self._prepared = 0.0

    def check_permissions(self, arguments: Arguments, context: ToolContext) -> Decision | None:
        """Say nothing."""
        return None

    async def prepare(self, arguments: Arguments, context: ToolContext) -> Prepared:
        """Note the time at which the gate begins to ask."""
        prepared = Prepared(Preview(title=arguments.command))
        self._prepared = time.perf_counter()
        return prepared

    async def run(self, arguments: Arguments, prepared: Prepared, context: ToolContext) -> ToolOutput:
        """Note how long the answer took."""
        self.times.append(time.perf_counter() - self._prepared)
        return ToolOutput("")


def be_worker() -> None:
    """Be a worker whose every tool is the timed one; write the times to a file at the end."""
    from swarm.ipc.codec import Role
    from swarm.ipc.stdio import PipeChannel
    from swarm.worker.runtime import Runtime

    descriptors = claim_stdio()
    tool = TimedTool()

    async def serve() -> None:
        await Runtime(PipeChannel(Role.WORKER, *descriptors), lambda: None, lambda name: tool).run()

    anyio.run(serve)
    Path(os.environ[OUTPUT]).write_text("\n".join(map(repr, tool.times[WARM_UP:])))


async def lead(folder: Path, anew: bool) -> None:
    """Lead one worker through all its calls: `anew`, each is another, so that nothing is remembered."""
    from swarm.leader.core.launcher import SubprocessLauncher
    from swarm.leader.core.leader import Leader, RunOptions
    from swarm.leader.plan.resolved import TeamPlan, WorkerPlan
    from swarm.leader.session.folder import create_session
    from swarm.permissions.model import Behavior, Layer, RuleText, Source

    commands = [COMMAND.format(number if anew else 0) for number in range(CALLS + WARM_UP)]
    inputs = [{"command": command, "description": "Run the tests"} for command in commands]
    steps = [{"tool": {"name": "Bash", "input": given}} for given in inputs]
    worker = WorkerPlan("bench", "script", folder, agent={"steps": steps})
    rules = tuple(
        RuleText(Behavior.ALLOW, text, Source(Layer.PLAN, "plan.yaml", base=str(folder)))
        for text in ("Bash(pytest:*)", *(f"Bash(tool{number} run:*)" for number in range(99)))
    )
    plan = TeamPlan("bench", folder / "plan.yaml", (worker,), rules=rules)
    launcher = SubprocessLauncher([sys.executable, "-E", __file__, "--worker"])
    environment: dict[str, Any] = {"XDG_STATE_HOME": str(folder / "state"), "HOME": str(folder)}
    with create_session(plan, "benchmark", environment=environment) as session:
        code = await Leader(plan, session, RunOptions(person=False, launcher=launcher)).run()
    if code != 0:
        raise SystemExit(f"the run ended with {code}: the times mean nothing")


def times_of_gate(use_uvloop: bool, anew: bool) -> list[float]:
    """Give the seconds of each call, gate to gate, of the quietest turn."""
    return min((times_of_turn(use_uvloop, anew) for _ in range(TURNS)), key=median)


def times_of_turn(use_uvloop: bool, anew: bool) -> list[float]:
    """Give the seconds of each call in one run."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ[OUTPUT] = str(folder / "times")
        anyio.run(lead, folder, anew, backend_options={"use_uvloop": use_uvloop})
        return [float(line) for line in (folder / "times").read_text().split()]


def figures(limit: float) -> list[Figure]:
    """Give the median round trip on each event loop, and its 99th percentile, against `limit`."""
    found = []
    loops = [("asyncio", False)] + [("uvloop", True)] * (find_spec("uvloop") is not None)
    for name, use_uvloop in loops:
        for what, anew in (("the same call again", False), ("another call each time", True)):
            times = times_of_gate(use_uvloop, anew)
            label = f"gate to gate, {what}, on {name}"
            found.append(Figure(label, median(times), limit=limit, against="blocking ping-pong", budget=12))
            found.append(Figure("  its 99th percentile", quantiles(times, n=100)[-1]))
    return found


if __name__ == "__main__":
    if sys.argv[1:] == ["--worker"]:
        be_worker()
    else:
        report(lambda: figures(min(time_of_limit() for _ in range(TURNS))))
