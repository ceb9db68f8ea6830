"""`swarm send`: a message to a worker of a running session."""

from typing import Annotated

import typer

from swarm.leader.cli import output
from swarm.leader.cli.options import SessionOption


def command(
    worker: Annotated[str, typer.Argument(metavar="WORKER", help="The worker's name.")],
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What it is told.")],
    session: SessionOption = None,
) -> None:
    """Send a message to a worker."""
    from swarm.leader.cli.reaching import ask_leader
    from swarm.leader.cli.telling import send_text

    output.message(ask_leader(session, lambda remote: send_text(remote, worker, text)))
