"""Checks what a plan says of the machine it runs on: folders, environment, colours, isolation."""

import re
from collections.abc import Iterator
from pathlib import Path

from swarm.leader.errors import nearest
from swarm.leader.palette import COLOR_NAMES, resolve_color
from swarm.leader.plan.document import Location
from swarm.leader.plan.errors import Problem
from swarm.leader.plan.models import Settings
from swarm.leader.plan.outline import Outline

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def folder_of(plan: Path, cwd: str | None) -> Path:
    """Give the absolute folder that `cwd` names, seen from the plan's own."""
    return (plan.absolute().parent / Path(cwd or ".").expanduser()).resolve()


def check_surroundings(outline: Outline) -> Iterator[Problem]:
    """Give everything that does not fit, for the defaults and for each worker."""
    yield from _check(outline, outline.defaults, ("defaults",))
    for name, worker in outline.workers.items():
        yield from _check(outline, worker, ("workers", name))


def _check(outline: Outline, settings: Settings, location: Location) -> Iterator[Problem]:
    yield from _check_cwd(outline, settings.cwd, (*location, "cwd"))
    yield from _check_env(outline, settings.env, (*location, "env"))
    document = outline.document
    if settings.color is not None and resolve_color(settings.color) is None:
        near = nearest(settings.color, list(COLOR_NAMES))
        known = f'Expected "#rrggbb" or one of {", ".join(COLOR_NAMES)}.'
        place = document.place((*location, "color"))
        yield document.problem(place, f"{settings.color!r} is no colour.{near}", known)
    if settings.isolation == "worktree":
        text = "The isolation worktree is not available in this version."
        place = document.place((*location, "isolation"))
        yield document.problem(place, text, "Write `none`, or leave it out.")


def _check_cwd(outline: Outline, cwd: str | None, location: Location) -> Iterator[Problem]:
    document = outline.document
    if cwd is None:
        return
    try:
        folder = folder_of(document.file, cwd)
        state = "" if folder.is_dir() else "is not a folder" if folder.exists() else "does not exist"
    except (OSError, RuntimeError, ValueError):
        folder, state = Path(cwd), "cannot be looked up"
    if state:
        siblings = [path.name for path in folder.parent.iterdir()] if folder.parent.is_dir() else []
        near = nearest(folder.name, siblings)
        text = f"The folder {folder} {state}.{near}"
        advice = "`cwd` is seen from the plan's folder, and must be there before the run."
        yield document.problem(document.place(location), text, advice)


def _check_env(outline: Outline, env: dict[str, str], location: Location) -> Iterator[Problem]:
    document = outline.document
    for name, value in env.items():
        if not _VARIABLE.fullmatch(name):
            place = document.place((*location, name), key=True)
            advice = "Use letters, digits and _, not a digit first."
            yield document.problem(place, f"{name!r} is no name of a variable.", advice)
        if "\0" in value:
            place = document.place((*location, name))
            yield document.problem(place, "A variable cannot hold a zero byte.", "Remove it.")
