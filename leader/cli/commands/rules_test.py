"""`swarm rules test`: cases of rules, run in CI or beside a plan."""

from pathlib import Path
from typing import Annotated

import typer

from swarm.leader.cli import output
from swarm.leader.cli.options import JsonOption


def command(
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="Cases as JSON lines, or as YAML if it ends in .yaml or .yml."),
    ],
    mutate: Annotated[
        bool,
        typer.Option(
            "--mutate",
            help="Also spell every denied command in other ways, and report what slips through.",
        ),
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Run cases through the rules; show each wrong answer.

    A case is a call with the answer it should get: {settings, mode, cwd, files, call, expect,
    classifier, warn, error, offers}, of which call (or command) and expect are needed. In YAML,
    settings, mode, cwd, home and files stand once above the cases; `plan: plan.yaml` takes the rules
    of a plan. Exit 1 if anything came out otherwise or slipped through, 2 if the file cannot be run.
    """
    from swarm.leader.cli.trials import report_lines, report_objects
    from swarm.leader.rules.mutations import mutate as spell_otherwise
    from swarm.leader.rules.reading import read_cases
    from swarm.leader.rules.trial import run_cases

    cases = read_cases(file)
    report = run_cases(cases)
    mutated = spell_otherwise(cases) if mutate else None
    if as_json:
        for value in report_objects(report, mutated):
            output.json_line(value)
    else:
        output.painted(report_lines(report, mutated))
    if report.misses or (mutated is not None and mutated.slips):
        raise typer.Exit(1)
