"""Opens a screen on a session that another process leads. The run goes on when the screen is left."""

import os
import signal
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import anyio

from swarm.leader.cli import output
from swarm.leader.cli.interrupted import exit_code_of
from swarm.leader.control.far_client import FarClient, reach_far
from swarm.leader.core.client import Client
from swarm.leader.headless.summary import summary_lines
from swarm.leader.headless.teller import summarize
from swarm.leader.session.presence import LeaderFile
from swarm.leader.session.stored import StoredSession

Screen = Callable[[Client], Awaitable[None]]
"""Shows a session until the person leaves it."""


def open_screen(stored: StoredSession) -> int:
    """Show a session that is led elsewhere until the person leaves, or it has ended and they have seen it.

    Give its exit code if it has ended, else 0. Raises LeaderUnreachable.
    """
    return anyio.run(look_at, stored, _on_this_terminal)


async def _on_this_terminal(client: Client) -> None:
    from swarm.leader.tui.settings import read_settings
    from swarm.leader.tui.terminal import run_terminal

    settings = read_settings(os.environ, sys.stdout.encoding or "ascii")
    await run_terminal(client, replace(settings, visiting=True))


async def look_at(stored: StoredSession, show: Screen) -> int:
    """Do what `open_screen` says with any screen."""
    assert stored.leader is not None, "a running session has said who leads it"
    async with reach_far(stored.id, Path(stored.leader.control)) as far:
        async with anyio.create_task_group() as group:
            await group.start(_close_after_signal, group.cancel_scope)
            group.start_soon(_conclude, far, stored)
            await show(far)
            group.cancel_scope.cancel()
        return _told(far, stored.leader)


async def _close_after_signal(
    screen: anyio.CancelScope, *, task_status: anyio.abc.TaskStatus[None] = anyio.TASK_STATUS_IGNORED
) -> None:
    """A signal, as of a terminal that is gone, ends the screen and nothing else."""
    with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGHUP, signal.SIGINT) as received:
        task_status.started()
        async for _ in received:
            screen.cancel()


async def _conclude(far: FarClient, stored: StoredSession) -> None:
    """Show how the run ended, which its leader may not have been able to send any more."""
    await far.gone.wait()
    code = exit_code_of(stored)
    lost = f"Its leader is gone before its end. Leave with q, then: swarm resume {stored.id}"
    far.conclude(code, lost if code is None else "")


def _told(far: FarClient, leader: LeaderFile) -> int:
    team = far.team()
    if team.exit_code is None:
        goes_on = "was interrupted; to go on" if far.gone.is_set() else "goes on; to see it again"
        output.message(f"swarm: {team.session_id} {goes_on}: swarm resume {team.session_id}")
        return 0
    output.lines(summary_lines(summarize(time.time(), team, team.exit_code), leader.plan_file))
    return team.exit_code
