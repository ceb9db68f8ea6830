"""Runs a session from start to end: makes it, leads it, and puts a front end before it."""

from collections.abc import Collection
from functools import partial
from importlib.util import find_spec
from typing import Any, Literal

import anyio

from swarm import program_version
from swarm.leader.cli import output
from swarm.leader.cli.fronts import FrontChoice
from swarm.leader.cli.last_resort import end_by_force
from swarm.leader.cli.loading import without_collection
from swarm.leader.control.server import serve_control
from swarm.leader.core.leader import Leader, RunOptions
from swarm.leader.headless.front import HeadlessFront
from swarm.leader.plan.resolved import TeamPlan
from swarm.leader.session.folder import Session, create_session
from swarm.permissions.model import Mode


def lead(
    plan: TeamPlan,
    front: FrontChoice,
    *,
    on_ask: Literal["wait", "deny", "fail"],
    mode: Mode | None,
) -> int:
    """Lead the plan's team to the end and give the exit code. Raises what hinders the start."""
    options = RunOptions(on_ask=on_ask, person=front.with_terminal or on_ask == "wait", mode=mode)
    with create_session(plan, program()) as session:
        return put_before(front, Leader(plan, session, options), session, plan)


def program() -> str:
    """Give this program's name and version."""
    return f"swarm {program_version()}"


def put_before(
    front: FrontChoice, leader: Leader, session: Session, plan: TeamPlan, again: Collection[int] = ()
) -> int:
    """Lead with the chosen front end before it, and give the exit code.

    Of a journal that has entries already, those of the numbers in `again` alone are told once more.
    """
    if front.with_terminal:
        with without_collection():
            from swarm.leader.cli.on_terminal import run_on_terminal
            from swarm.leader.tui.terminal import run_terminal

        return _run_loop(run_on_terminal, leader, session, plan, run_terminal)
    return _run_loop(_run_headless, leader, session, plan, front.as_json, again)


def _run_loop(function: Any, *arguments: Any) -> int:
    uvloop = find_spec("uvloop") is not None
    code: int = anyio.run(function, *arguments, backend_options={"use_uvloop": uvloop})
    return code


async def _run_headless(
    leader: Leader, session: Session, plan: TeamPlan, as_json: bool, again: Collection[int]
) -> int:
    front = HeadlessFront(
        leader,
        session.journal,
        output.StdoutPrinter(),
        as_json=as_json,
        told=session.journal.count,
        again=again,
        outlives_terminal=leader.asks_a_person,
        last_resort=partial(end_by_force, session.id),
    )
    output.message(f"swarm: session {session.id}. From another shell: swarm pending, approve, deny, stop.")
    async with serve_control(leader, session.control):
        return await front.run(leader.run, str(plan.file))
