"""`swarm stop`: ends a worker or a whole session in good order."""

from typing import Annotated

import typer

from swarm.leader.cli import output
from swarm.leader.cli.options import SessionOption


def command(
    worker: Annotated[
        str | None, typer.Argument(metavar="WORKER", help="The worker to stop. Without it: the whole team.")
    ] = None,
    now: Annotated[
        bool, typer.Option("--now", help="End every process of the team at once, not in good order.")
    ] = False,
    session: SessionOption = None,
) -> None:
    """Stop a worker, or the whole team."""
    from swarm.leader.cli.reaching import ask_leader
    from swarm.leader.cli.telling import stop_unless_ended

    if now and worker is not None:
        raise typer.BadParameter("--now ends the whole team, so it goes without a worker's name.")
    if now:
        ask_leader(session, lambda remote: remote.stop_now())
        output.message("Every process of the team was ended.")
    else:
        ended = ask_leader(session, lambda remote: stop_unless_ended(remote, worker))
        output.message(ended or f"Stopping {worker or 'the team'} in good order.")
        if ended:
            raise typer.Exit(1)
