"""`swarm doctor`: what is usable on this machine, and how to mend what is not."""

import typer

from swarm.leader.cli import output
from swarm.leader.cli.options import JsonOption


def command(as_json: JsonOption = False) -> None:
    """Check what a run needs on this machine, and say how to mend what is missing."""
    from dataclasses import asdict

    from swarm.leader.cli.checks import CHECKS
    from swarm.leader.hostile import escape

    missing = False
    for check in CHECKS:
        finding = check()
        missing |= finding.needed and not finding.usable
        if as_json:
            output.json_line(asdict(finding))
            continue
        word = "usable" if finding.usable else ("missing" if finding.needed else "without")
        output.line(f"{finding.name:<13} {word:<8} {escape(finding.found)}")
        if finding.advice and (not finding.usable or finding.name == "terminal"):
            output.line(f"{'':<22} {escape(finding.advice)}")
    if missing:
        output.message("Something is missing that every run needs.")
        raise typer.Exit(1)
