"""`swarm pause`: lets a worker or a whole team stand still."""

from typing import Annotated

import typer

from swarm.leader.cli import output
from swarm.leader.cli.options import SessionOption


def command(
    worker: Annotated[
        str | None,
        typer.Argument(metavar="WORKER", help="The worker to pause. Without it: the whole team."),
    ] = None,
    session: SessionOption = None,
) -> None:
    """Let a worker, or the whole team, stand still."""
    from swarm.leader.cli.reaching import ask_leader
    from swarm.leader.cli.telling import set_paused

    ended = ask_leader(session, lambda remote: set_paused(remote, worker, True))
    output.message(ended or f"{worker or 'The team'} stands still.")
    if ended:
        raise typer.Exit(1)
