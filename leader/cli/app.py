"""Which commands there are, and the way from arguments to one of them. Loads only the module needed."""

import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from keyword import iskeyword
from typing import Annotated, Any

import typer

from swarm.leader.cli import output
from swarm.leader.cli.door import run_behind

COMMANDS = (
    "run",
    "resume",
    "continue",
    "validate",
    "schema",
    "ls",
    "show",
    "pending",
    "approve",
    "deny",
    "stop",
    "pause",
    "unpause",
    "send",
    "clean",
    "doctor",
    "rules",
    "audit",
)
"""In the order of the help. Each is the function `command` of the module of its name in `commands`.

A word of the language has `_` behind it there. A module with SUBCOMMANDS is a group: each of those is
a module `NAME_SUBCOMMAND` beside it.
"""

HELP = "Lead a team of coding agents from one terminal."


def command_function(name: str) -> Callable[..., Any]:
    """Load the module of a command and give its function."""
    module = f"{name}_" if iskeyword(name) else name
    function: Callable[..., Any] = import_module(f"swarm.leader.cli.commands.{module}").command
    return function


def _show_version(wanted: bool) -> None:
    if wanted:
        from swarm import program_version

        output.line(f"swarm {program_version()}")
        raise typer.Exit


def _root(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and end."),
    ] = False,
) -> None:
    pass


def needed_commands(arguments: Sequence[str]) -> Sequence[str]:
    """Give the one command that the arguments name, or all where help or a completion is wanted."""
    if arguments and arguments[0] in COMMANDS:
        return arguments[:1]
    return COMMANDS


def build_app(names: Sequence[str] = COMMANDS) -> typer.Typer:
    """Give the program with the commands of these names."""
    app = typer.Typer(
        name="swarm",
        help=HELP,
        no_args_is_help=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_root)
    for name in names:
        _add(app, name)
    return app


def _add(app: typer.Typer, name: str) -> None:
    function = command_function(name)
    inner: Sequence[str] = getattr(sys.modules[function.__module__], "SUBCOMMANDS", ())
    if not inner:
        app.command(name)(function)
        return
    group = typer.Typer(no_args_is_help=True, rich_markup_mode=None)
    group.callback()(function)
    for word in inner:
        group.command(word)(command_function(f"{name}_{word}"))
    app.add_typer(group, name=name)


def run_program() -> None:
    """Run the process's arguments and end the process."""
    names = needed_commands(sys.argv[1:])
    code = run_behind(lambda: typer.main.get_command(build_app(names))(prog_name="swarm"))
    sys.exit(run_behind(output.flush) or code)
