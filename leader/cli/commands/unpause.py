"""`swarm unpause`: lets a worker or a whole team go on."""

from typing import Annotated

import typer

from swarm.leader.cli import output
from swarm.leader.cli.options import SessionOption


def command(
    worker: Annotated[
        str | None,
        typer.Argument(metavar="WORKER", help="The worker that goes on. Without it: the whole team."),
    ] = None,
    session: SessionOption = None,
) -> None:
    """Let a worker, or the whole team, go on after `swarm pause`."""
    from swarm.leader.cli.reaching import ask_leader
    from swarm.leader.cli.telling import set_paused

    ended = ask_leader(session, lambda remote: set_paused(remote, worker, False))
    output.message(ended or f"{worker or 'The team'} goes on.")
    if ended:
        raise typer.Exit(1)
