"""`swarm rules accept`: puts in force what a changed settings file would allow in a running session."""

from typing import Annotated

import typer

from swarm.leader.cli import output
from swarm.leader.cli.options import SessionOption


def command(
    session: SessionOption = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask: take all that is shown.")] = False,
) -> None:
    """Put in force what a changed settings file would allow in a running session.

    While a session runs, what a settings file forbids counts at once; what it allows waits for this,
    since a worker may have written it.
    """
    from swarm.leader.cli.reaching import ask_leader
    from swarm.leader.headless.lines import one_line

    held = ask_leader(session, lambda remote: remote.held_rules())
    if not held:
        output.message("No rule is held back.")
        return
    output.message("Held back in this session:")
    for words in held:
        output.message(f"  {one_line(words, 500)}")
    if not yes and not typer.confirm("Put all of it in force?", default=False, err=True):
        raise typer.Exit(1)
    ask_leader(session, lambda remote: remote.accept_rules(held))
    output.message("It is in force; what waits was decided again.")
