"""`swarm rules import`: the rules of another program as ours, and what could not be carried over."""

import os
from pathlib import Path
from typing import Annotated, Literal

import typer

from swarm.leader.cli import output
from swarm.leader.cli.options import JsonOption
from swarm.leader.cli.rule_options import WriteOption


def command(
    program: Annotated[
        Literal["claude", "codex", "opencode"],
        typer.Argument(metavar="PROGRAM", help="Whose settings: claude, codex or opencode."),
    ],
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="FILE",
            help="The files. Without any: those of your home and of this folder.",
            show_default=False,
        ),
    ] = None,
    write: WriteOption = None,
    as_json: JsonOption = False,
) -> None:
    """Carry over the rules of another program.

    Prints them as a settings file on stdout; what became different and what could not be carried over,
    with file and line, on stderr. Nothing is written without --write, and the mode is never written.
    """
    from swarm.leader.cli.importing import DRY, entry_lines, entry_objects, write_rules
    from swarm.leader.rules.import_sources import import_files, usual_files
    from swarm.leader.rules.imported import settings_object
    from swarm.leader.rules.in_force import home_folder

    home = home_folder()
    chosen = files or usual_files(program, Path.cwd(), home, os.environ)
    if not chosen:
        output.message(f"There are no settings of {program} in your home or in this folder. Name a file.")
        raise typer.Exit(1)
    imported = import_files(program, chosen, home)
    if as_json:
        for value in entry_objects(imported):
            output.json_line(value)
    else:
        for text in entry_lines(imported):
            output.message(text)
    if write:
        for text in write_rules(imported, write, Path.cwd()):
            output.message(text)
    elif not as_json:
        import json

        output.message(DRY)
        output.line(json.dumps(settings_object(imported), indent=2))
