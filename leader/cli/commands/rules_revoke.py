"""`swarm rules revoke`: takes a granted rule back."""

from typing import Annotated

import typer

from swarm.leader.cli import output
from swarm.leader.cli.options import SessionOption


def command(
    number: Annotated[
        int, typer.Argument(metavar="N", help="The grant's number, as `swarm rules grants` prints it.")
    ],
    session: SessionOption = None,
) -> None:
    """Take a granted rule back, from its settings file too.

    What waits for a decision in the running session is decided again.
    """
    from swarm.leader.cli.granting import revoke_grant
    from swarm.leader.headless.lines import one_line

    grant = revoke_grant(session, number)
    place = f", which stood in {one_line(grant.file, 300)}" if grant.file else ""
    output.message(f"Taken back: {grant.behavior} {one_line(grant.rule, 300)}{place}.")
