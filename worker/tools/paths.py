"""Turns a path that an agent named into the absolute one that is meant. Opens and changes nothing."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from swarm.permissions.model import Behavior, Decision, Reason
from swarm.worker.errors import InvalidInput, ToolError
from swarm.worker.tools.base import ToolContext
from swarm.worker.tools.nearest import nearest_word
from swarm.worker.tools.titles import one_line

_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)
_NAMES_LOOKED_AT = 5_000


def absolute_path(named: str, context: ToolContext) -> Path:
    """Give the absolute path, `~` expanded and `..` resolved as text. Raises InvalidInput.

    `~` is the home folder of the tools' environment. Links are not followed.
    """
    problem = flaw(named)
    if problem:
        raise InvalidInput(problem)
    if named == "~" or named.startswith("~/"):
        home = context.env.get("HOME") or os.path.expanduser("~")
        named = home + named[1:]
    return Path(os.path.normpath(context.cwd / named))


def flaw(named: str) -> str:
    """Say what is wrong with a path as text, or give an empty text."""
    if not named:
        return "The path is empty. Name a file or folder."
    if "\0" in named:
        return "The path holds a NUL character, which no path can. Name the file without it."
    return ""


def resolved(path: Path) -> Path:
    """Follow all links of `path`; its end need not exist. Raises ToolError for a loop of links."""
    try:
        return path.resolve()
    except (OSError, RuntimeError) as error:
        raise ToolError(f"{path} cannot be resolved: {error}. Name the file itself.") from error


def special_kind(mode: int) -> str:
    """Say what a file of this mode is if it is no regular file, or give an empty text."""
    if stat.S_ISREG(mode):
        return ""
    return next((kind for is_kind, kind in _KINDS if is_kind(mode)), "no regular file")


def missing(path: Path) -> ToolError:
    """Give the error for a path that does not exist, with the nearest name in its folder."""
    if not path.parent.is_dir():
        return ToolError(f"{path} does not exist, nor does its folder. Check the path.")
    try:
        with os.scandir(path.parent) as entries:
            names = [entry.name for entry, _ in zip(entries, range(_NAMES_LOOKED_AT), strict=False)]
    except OSError:
        names = []
    nearest = nearest_word(path.name, names)
    hint = f" Did you mean {path.parent / nearest}?" if nearest else " Check the path."
    return ToolError(f"{path} does not exist.{hint}")


def shown(path: Path, context: ToolContext) -> str:
    """Give the path as a title names it: relative if it lies inside the working directory."""
    return one_line(str(path.relative_to(context.cwd)) if path.is_relative_to(context.cwd) else str(path))


@contextmanager
def looking_at(path: Path) -> Iterator[None]:
    """Tell a failure of the file system as a ToolError about this path."""
    try:
        yield
    except OSError as error:
        raise ToolError(f"{path} cannot be reached: {error.strerror}. Check the path.") from error


def refusal(named: str, context: ToolContext, writes: bool = False) -> Decision | None:
    """Deny a path that can never be right; say nothing of all others."""
    problem = flaw(named)
    if not problem and writes:
        problem = _unwritable(absolute_path(named, context))
    return Decision(Behavior.DENY, Reason.WORKER_PROXY, problem) if problem else None


def _unwritable(path: Path) -> str:
    try:
        kind = special_kind(path.stat().st_mode)
    except (OSError, RuntimeError):
        return ""
    return f"{path} is {kind}, which is never written to. Name a regular file." if kind else ""
