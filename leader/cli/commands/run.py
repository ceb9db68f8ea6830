"""`swarm run`: leads a team through a plan."""

from pathlib import Path
from typing import Annotated

import typer

from swarm.leader.cli import output
from swarm.leader.cli.options import EventsOption, HeadlessOption, ModeOption, OnAskOption


def command(
    plan: Annotated[Path, typer.Argument(metavar="PLAN", help="The plan file.")],
    headless: HeadlessOption = False,
    as_json: EventsOption = False,
    on_ask: OnAskOption = None,
    mode: ModeOption = None,
) -> None:
    """Run a plan: launch its workers and lead them to the end."""
    from swarm.leader.cli.loading import without_collection

    with without_collection():
        from swarm.leader.cli.fronts import choose_front
        from swarm.leader.cli.interrupted import interrupted_hint
        from swarm.leader.cli.leading import lead
        from swarm.leader.plan.load import load_plan
        from swarm.permissions.model import Mode

    team = load_plan(plan)
    front = choose_front(headless, as_json)
    hint = interrupted_hint(team.file)
    if hint:
        output.message(hint)
    code = lead(
        team,
        front,
        on_ask=on_ask or ("wait" if front.somebody_is_there else "deny"),
        mode=Mode(mode) if mode else None,
    )
    if code:
        raise typer.Exit(code)
