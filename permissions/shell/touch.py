"""A word that names a file, and what a command does with it."""

from dataclasses import dataclass, replace

from swarm.permissions.shell.expand import Arg

HERE = Arg(".", ".", 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Touch:
    """A word that names a file, and what is done with it.

    `into`: only if its folder exists. `mild`: it is made or marked, no text of the agent's gets into it.
    """

    arg: Arg
    writes: bool = False
    deletes: bool = False
    walks: bool = False
    lists: bool = False
    into: bool = False
    mild: bool = False


def below(folder: Arg | None, arg: Arg) -> Arg:
    """A word as seen from a folder that an option names."""
    if folder is None or arg.value is None or arg.value.startswith("/"):
        return arg
    if folder.value is None:
        return replace(arg, value=None, prefix="")
    return replace(arg, value=f"{folder.value}/{arg.value}", pattern="")
