"""Runs a session from start to end: makes it, leads it, and puts a front end before it."""

from importlib.util import find_spec
from typing import Any, Literal

import anyio

from swarm import program_version
from swarm.leader.cli import output
from swarm.leader.cli.loading import without_collection
from swarm.leader.control.server import serve_control
from swarm.leader.core.leader import Leader, RunOptions
from swarm.leader.headless.front import HeadlessFront
from swarm.leader.plan.resolved import TeamPlan
from swarm.leader.session.folder import Session, create_session
from swarm.permissions.model import Mode


def lead(
    plan: TeamPlan,
    *,
    with_terminal: bool,
    as_json: bool,
    on_ask: Literal["wait", "deny", "fail"],
    mode: Mode | None,
) -> int:
    """Lead the plan's team to the end and give the exit code. Raises what hinders the start."""
    options = RunOptions(on_ask=on_ask, person=with_terminal or on_ask == "wait", mode=mode)
    with create_session(plan, f"swarm {program_version()}") as session:
        leader = Leader(plan, session, options)
        if with_terminal:
            with without_collection():
                from swarm.leader.cli.on_terminal import run_on_terminal
                from swarm.leader.tui.terminal import run_terminal

            return _run_loop(run_on_terminal, leader, session, plan, run_terminal)
        return _run_loop(_run_headless, leader, session, plan, as_json)


def _run_loop(function: Any, *arguments: Any) -> int:
    uvloop = find_spec("uvloop") is not None
    code: int = anyio.run(function, *arguments, backend_options={"use_uvloop": uvloop})
    return code


async def _run_headless(leader: Leader, session: Session, plan: TeamPlan, as_json: bool) -> int:
    front = HeadlessFront(leader, session.journal, output.StdoutPrinter(), as_json=as_json)
    output.message(f"swarm: session {session.id}. From another shell: swarm pending, approve, deny, stop.")
    async with serve_control(leader, session.control):
        return await front.run(leader.run, str(plan.file))
