"""`swarm audit show`: every decision of a session, with all that is kept of it."""

from typing import Annotated

import typer

from swarm.leader.cli import output
from swarm.leader.cli.options import JsonOption, SessionArgument


def command(
    session: SessionArgument = None,
    worker: Annotated[str, typer.Option("--worker", metavar="NAME", help="Only of this worker.")] = "",
    redacted: Annotated[
        bool, typer.Option("--redact", help="With --json: hide what looks secret; digests stay.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Show who asked what, as it was shown, and who or what answered, why, and under which rules."""
    from swarm.leader.audit.decisions import decisions
    from swarm.leader.audit.lines import decision_lines, decision_object
    from swarm.leader.errors import JournalBroken
    from swarm.leader.session.reading import read_journal
    from swarm.leader.session.stored import find_session

    stored = find_session(session)
    with read_journal(stored.journal) as reading:
        try:
            for decision in decisions(reading):
                if worker and decision.worker != worker:
                    continue
                if as_json:
                    output.json_line(decision_object(decision, redacted))
                else:
                    output.lines((*decision_lines(decision), ""))
        except JournalBroken as broken:
            output.message(f"{broken} `swarm audit verify {stored.id}` tells more.")
            raise typer.Exit(1) from None
