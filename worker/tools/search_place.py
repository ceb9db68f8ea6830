"""Works out where Glob, Grep and LS look, and what a person is shown of it."""

from pathlib import Path

from swarm.ipc.messages import Preview
from swarm.worker.errors import ToolError
from swarm.worker.tools.base import Prepared, ToolContext
from swarm.worker.tools.paths import absolute_path, looking_at, missing, resolved, shown, special_kind
from swarm.worker.tools.titles import title


def prepare_search(what: str, named: str, context: ToolContext, folder_only: bool) -> Prepared:
    """Pin the resolved path that is to be searched. Raises ToolError if there is nothing to search."""
    path = absolute_path(named, context)
    target = resolved(path)
    with looking_at(path):
        _check(path, target, folder_only)
    paths = tuple(dict.fromkeys((str(path), str(target))))
    place = "" if path == context.cwd else f" in {shown(path, context)}"
    return Prepared(Preview(title=title(what) + place, paths=paths), target)


def _check(path: Path, target: Path, folder_only: bool) -> None:
    if not target.exists():
        raise missing(path)
    if target.is_dir():
        return
    kind = special_kind(target.stat().st_mode)
    if kind or folder_only:
        raise ToolError(f"{path} is {kind or 'a file'}, which cannot be searched so. Name a folder.")


def displayed(path: str, context: ToolContext) -> str:
    """Give a found path as results name it: relative to the working directory if it lies inside.

    What is found has no links in it, and the working directory may.
    """
    found = Path(path)
    if not found.is_relative_to(context.cwd) and found.is_relative_to(here := resolved(context.cwd)):
        found = context.cwd / found.relative_to(here)
    return shown(found, context)
