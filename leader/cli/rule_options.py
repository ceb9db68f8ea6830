"""The options that the commands about rules share: whose rules are meant, and where."""

from pathlib import Path
from typing import Annotated, Literal

import typer

SettingsOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--settings",
        metavar="FILE",
        help="Take the rules of this settings file and of no other; may be given again.",
    ),
]
PlanOption = Annotated[
    Path | None, typer.Option("--plan", metavar="FILE", help="Take the rules of this plan too.")
]
WorkerOption = Annotated[
    str, typer.Option("--worker", metavar="NAME", help="A worker of the plan, whose own rules count too.")
]
CwdOption = Annotated[
    Path | None,
    typer.Option(
        "--cwd",
        metavar="DIR",
        help="Where the call is made. Without it: the worker's folder, the plan's, or this one.",
    ),
]
WriteOption = Annotated[
    Literal["local", "project", "user"] | None,
    typer.Option(
        "--write", metavar="LAYER", help="Add the rules to this settings file: local, project or user."
    ),
]
