"""A plan in its parts, each checked for its shape alone, so that one bad part hides no other."""

import re
from dataclasses import dataclass
from typing import Any

from swarm.leader.plan.document import Document
from swarm.leader.plan.errors import PlanInvalid, Problem
from swarm.leader.plan.models import Classifier, Head, Permissions, Settings, Worker
from swarm.leader.plan.resolved import Parallel
from swarm.leader.plan.salvage import read_sound
from swarm.leader.plan.shape import show

NAME = re.compile(r"[A-Za-z0-9_-]{1,40}")
RESERVED = ("leader", "all")
"""Names that mean something else wherever a worker can be named."""


@dataclass(frozen=True, slots=True)
class Outline:
    """What of the plan has the right shape. `names` are all names of workers, also of those without."""

    document: Document
    name: str | None
    defaults: Settings
    permissions: Permissions
    classifier: Classifier | None
    max_parallel: Parallel
    workers: dict[str, Worker]
    names: tuple[str, ...]


def read_outline(document: Document, problems: list[Problem]) -> Outline:
    """Check the shape of every part; what is wrong is added to `problems`. Raises PlanInvalid."""
    problems += document.problems
    value = document.value
    if not isinstance(value, dict):
        place = document.place(())
        text = f"A plan is a mapping, and this is {show(value)}."
        raise PlanInvalid([*problems, document.problem(place, text, "Begin with `version: 1`.")])
    head = _read_head(document, value, problems)
    listed = _read_workers(document, value.get("workers"), problems)
    workers = {
        name: worker
        for name, item in listed.items()
        if (worker := _read_worker(document, name, item, problems)) is not None
    }
    return Outline(
        document,
        head.name,
        head.defaults,
        head.permissions,
        head.classifier,
        head.max_parallel,
        workers,
        tuple(listed),
    )


def _read_head(document: Document, value: dict[str, Any], problems: list[Problem]) -> Head:
    """Give the head, or one of what parts of it are sound."""
    rest = {key: item for key, item in value.items() if key != "workers"}
    return read_sound(Head, rest, document, (), problems) or Head(version=1)


def _read_workers(document: Document, value: Any, problems: list[Problem]) -> dict[str, Any]:
    if isinstance(value, dict) and value:
        return value
    place = document.place(("workers",), key=True)
    if value is None or value == {}:
        problems.append(document.problem(place, "The plan has no workers.", "Write them under `workers:`."))
    else:
        text = f"`workers` is a mapping of names to workers, and this is {show(value)}."
        problems.append(document.problem(place, text, "Write NAME: {agent: script, steps: […]}."))
    return {}


def _read_worker(document: Document, name: str, value: Any, problems: list[Problem]) -> Worker | None:
    if name in RESERVED or not NAME.fullmatch(name):
        place = document.place(("workers", name), key=True)
        text = f"A worker cannot be called {show(name)}."
        advice = f"Use up to 40 letters, digits, - and _, and not {' or '.join(RESERVED)}."
        problems.append(document.problem(place, text, advice))
    if value is None:
        place = document.place(("workers", name), key=True)
        problems.append(document.problem(place, f"The worker {name} is empty.", "Give it `steps:`."))
        return None
    return read_sound(Worker, value, document, ("workers", name), problems)
