"""Runs the screen on the real terminal and leaves the terminal as it was, whatever happens."""

import os
import sys

from swarm.leader.core.client import Client
from swarm.leader.tui.app import SwarmApp
from swarm.leader.tui.driver import TerminalDriver
from swarm.leader.tui.guard import guarded_terminal
from swarm.leader.tui.restore import saved_terminal
from swarm.leader.tui.settings import TerminalSettings, read_settings


async def run_terminal(client: Client, settings: TerminalSettings | None = None) -> None:
    """Show the session until the person leaves, or the run that they stopped has ended.

    An exception of the screen is raised here, after the terminal was restored; the session is as it was.
    """
    settings = settings or read_settings(os.environ, sys.stdout.encoding or "ascii")
    with guarded_terminal(_hint(client.team().session_id, settings)), saved_terminal():
        app = SwarmApp(client, settings)
        app.driver_class = TerminalDriver
        await app.run_to_the_end()


def _hint(session_id: str, settings: TerminalSettings) -> str:
    what = "The screen was killed; the run goes on" if settings.visiting else "The leader was killed; go on"
    return f"swarm: {what}: swarm resume {session_id}"
