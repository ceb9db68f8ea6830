"""Runs a session on the terminal. When the screen is left or fails, the run goes on without it."""

import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Protocol

import anyio

from swarm.leader.cli import output
from swarm.leader.cli.door import describe_unexpected
from swarm.leader.cli.last_resort import end_by_force
from swarm.leader.control.server import serve_control
from swarm.leader.core.client import Client
from swarm.leader.headless.front import INTERRUPTED, HeadlessFront
from swarm.leader.headless.signals import Stopper
from swarm.leader.headless.summary import summary_lines
from swarm.leader.headless.teller import summarize
from swarm.leader.plan.resolved import TeamPlan
from swarm.leader.session.folder import Session
from swarm.leader.tui.restore import terminal_attributes

Screen = Callable[[Client], Awaitable[None]]
"""Shows a session until the person leaves it."""


class Leading(Client, Protocol):
    """A client that also leads the team."""

    async def run(self) -> int:
        """Lead until all is over and give the exit code."""


class Run:
    """The leading of one team, which several can wait for."""

    def __init__(self, leader: Leading) -> None:
        self._leader = leader
        self._exit_code = 0
        self.over = anyio.Event()

    async def lead(self) -> None:
        """Lead to the end."""
        self._exit_code = await self._leader.run()
        self.over.set()

    async def exit_code(self) -> int:
        """Wait for the end and give the exit code."""
        await self.over.wait()
        return self._exit_code


async def run_on_terminal(leader: Leading, session: Session, plan: TeamPlan, show: Screen) -> int:
    """Lead the team with the screen before it; give the exit code, after the summary was printed."""
    run = Run(leader)
    stopper = Stopper(
        leader,
        lambda _: None,
        outlives_terminal=True,
        last_resort=partial(end_by_force, session.id, terminal_attributes()),
    )
    async with serve_control(leader, session.control), anyio.create_task_group() as group:
        await group.start(stopper.watch)  # to the end: between two of them a signal would kill
        group.start_soon(run.lead)
        async with anyio.create_task_group() as screen:
            screen.start_soon(_close_after_signal, run, stopper, screen.cancel_scope)
            screen.start_soon(_close_without_terminal, stopper, screen.cancel_scope)
            await _show(show, leader)
            screen.cancel_scope.cancel()
        if not run.over.is_set():
            stopper.say = output.passing_message
            code = await _go_on_without_screen(run, leader, session, plan, stopper)
            group.cancel_scope.cancel()
            return code
        group.cancel_scope.cancel()
    code = INTERRUPTED if stopper.asked.is_set() else await run.exit_code()
    output.lines(summary_lines(summarize(time.time(), leader.team(), code), str(plan.file)))
    return code


async def _show(show: Screen, leader: Leading) -> None:
    try:
        await show(leader)
    except Exception as error:  # the run must not end with its screen
        for line in describe_unexpected(error):
            output.message(line)


async def _close_after_signal(run: Run, stopper: Stopper, screen: anyio.CancelScope) -> None:
    """A run that a signal has ended leaves nothing to be looked at."""
    await stopper.asked.wait()
    await run.over.wait()
    screen.cancel()


async def _close_without_terminal(stopper: Stopper, screen: anyio.CancelScope) -> None:
    """A screen whose terminal is gone shows nothing to anybody; the run goes on."""
    await stopper.hung_up.wait()
    screen.cancel()


async def _go_on_without_screen(
    run: Run, leader: Leading, session: Session, plan: TeamPlan, stopper: Stopper
) -> int:
    output.passing_message(
        f"The run goes on without its screen; Ctrl-C stops it. What waits: swarm pending {session.id}"
    )
    front = HeadlessFront(
        leader, session.journal, output.StdoutPrinter(), as_json=False, told=session.journal.count
    )
    return await front.run(run.exit_code, str(plan.file), stopper)
