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

    if now and worker is not None:
        raise typer.BadParameter("--now ends the whole team, so it goes without a worker's name.")
    if now:
        ask_leader(session, lambda remote: remote.stop_now())
        output.message("Every process of the team was ended.")
    else:
        ask_leader(session, lambda remote: remote.stop(worker))
        output.message(f"Stopping {worker or 'the team'} in good order.")
