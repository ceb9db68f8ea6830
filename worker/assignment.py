"""Puts together what a start message asks for: the task, the gate and the agent's host. Runs nothing."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from swarm.ipc.messages import PROTOCOL_VERSION, Start
from swarm.permissions.strategies.base import Strategy
from swarm.worker.agents import create_agent
from swarm.worker.agents.base import AgentResult, Task
from swarm.worker.call_journal import CallJournal, journal_for
from swarm.worker.errors import InvalidStart
from swarm.worker.gate import Gate
from swarm.worker.hold import Hold
from swarm.worker.host import WorkerHost
from swarm.worker.outbox import Outbox
from swarm.worker.past import past_of
from swarm.worker.tools.base import Tool, ToolContext

FindTool = Callable[[str], Tool[Any]]


@dataclass(frozen=True, slots=True)
class Assignment:
    """What this worker is to do, and with what."""

    start: Start
    gate: Gate
    host: WorkerHost
    journal: CallJournal

    async def perform(self) -> AgentResult:
        """Make the agent and let it work. Raises what is wrong with the start or what the agent raises."""
        _check(self.start)
        self.journal.past = past_of(self.start)
        agent = create_agent(self.start.kind, self.start.agent)
        return await agent.run(self.host)


def assign(start: Start, strategy: Strategy, outbox: Outbox, find_tool: FindTool, hold: Hold) -> Assignment:
    """Put an assignment together. The tools get this process's environment with the plan's added."""
    env = {**os.environ, **start.env}
    cwd = Path(start.cwd)
    task = Task(start.worker, cwd, start.prompt, env, start.tasks, start.attempt)
    journal = journal_for(start)
    gate = Gate(strategy, outbox, ToolContext(cwd, env), find_tool, hold=hold, journal=journal)
    host = WorkerHost(task, start.mode, gate, outbox, hold=hold, journal=journal)
    return Assignment(start, gate, host, journal)


def load_tool(name: str) -> Tool[Any]:
    """Give a tool by name, loading the tools with the first. Raises UnknownTool."""
    from swarm.worker.tools import find_tool  # a worker that waits has no use for the tools

    return find_tool(name)


def _check(start: Start) -> None:
    if start.protocol != PROTOCOL_VERSION:
        raise InvalidStart(
            f"The leader wants protocol version {start.protocol}; this worker speaks {PROTOCOL_VERSION}. "
            "Run both from the same installation."
        )
    if not Path(start.cwd).is_absolute() or not Path(start.cwd).is_dir():
        raise InvalidStart(f"The working directory {start.cwd!r} is not there. Make it, or set `cwd` anew.")
