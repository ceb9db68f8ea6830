"""`swarm run`: leads a team through a plan."""

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from swarm.leader.cli import output
from swarm.leader.cli.options import ModeWord, OnAskWord


def command(
    plan: Annotated[Path, typer.Argument(metavar="PLAN", help="The plan file.")],
    headless: Annotated[
        bool, typer.Option("--headless", help="Without the terminal: lines on stdout, rules decide.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Without the terminal: one JSON event a line on stdout.")
    ] = False,
    on_ask: Annotated[
        OnAskWord | None,
        typer.Option(
            "--on-ask",
            help="What becomes of a call that no rule decides: it waits for `swarm approve`, is denied, "
            "or is denied and ends the run. Without a terminal: deny; with one: wait.",
        ),
    ] = None,
    mode: Annotated[
        ModeWord | None, typer.Option("--mode", help="The permission mode, instead of the plan's.")
    ] = None,
) -> None:
    """Run a plan: launch its workers and lead them to the end."""
    from swarm.leader.cli.loading import without_collection

    with without_collection():
        from swarm.leader.cli.leading import lead
        from swarm.leader.plan.load import load_plan
        from swarm.permissions.model import Mode

    team = load_plan(plan)
    somebody_is_there = not headless and not as_json and output.is_terminal(sys.stdin, sys.stdout)
    with_terminal = somebody_is_there and os.environ.get("TERM") != "dumb"  # one that can only print lines
    code = lead(
        team,
        with_terminal=with_terminal,
        as_json=as_json,
        on_ask=on_ask or ("wait" if somebody_is_there else "deny"),
        mode=Mode(mode) if mode else None,
    )
    if code:
        raise typer.Exit(code)
