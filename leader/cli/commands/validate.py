"""`swarm validate`: everything that is wrong with a plan, at once."""

from pathlib import Path
from typing import Annotated

import typer

from swarm.leader.cli import output
from swarm.leader.cli.options import JsonOption


def command(
    plan: Annotated[Path, typer.Argument(metavar="PLAN", help="The plan file.")],
    as_json: JsonOption = False,
) -> None:
    """Check a plan without running it, and show every problem at once."""
    from dataclasses import asdict

    from swarm.leader.plan.load import check_plan

    problems = check_plan(plan)
    for problem in problems:
        if as_json:
            output.json_line(asdict(problem))
        else:
            output.line(str(problem))
    if problems:
        output.message(f"{len(problems)} problem{'s' if len(problems) > 1 else ''} in {plan}.")
        raise typer.Exit(2)
    if not as_json:
        output.line(f"{plan} can be run.")
