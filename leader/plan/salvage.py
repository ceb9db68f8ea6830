"""Takes out of a value what has the wrong shape, so that the rest can still be checked for its meaning."""

import copy
from typing import Any

from swarm.leader.plan.document import Document, Location
from swarm.leader.plan.errors import Problem
from swarm.leader.plan.shape import M, validate

LOAD_BEARING = ("agent", "needs")
"""Keys of a worker without which other checks would report what is not wrong."""


def read_sound(
    model: type[M], value: Any, document: Document, location: Location, problems: list[Problem]
) -> M | None:
    """Give the model of the value, or of what is left without the faults, which become problems.

    None where too little is left to be worth a look. What is left is only good for further checks: there
    is at least one problem then, so it is never run.
    """
    value = _without_empty(value)
    found, faults = validate(model, value, document, location, problems)
    if found is not None or not isinstance(value, dict) or any(fault[:1] == () for fault in faults):
        return found
    if any(fault[0] in LOAD_BEARING for fault in faults):
        return None
    rest = copy.deepcopy(value)
    for fault in faults:
        _remove(rest, fault)
    return validate(model, rest, document, location, [])[0]


def _without_empty(value: Any) -> Any:
    """A key with nothing behind it counts as absent."""
    if isinstance(value, dict):
        return {key: item for key, item in value.items() if item is not None}
    return value


def _remove(value: dict[str, Any], fault: Location) -> None:
    if fault[0] == "version":
        value["version"] = 1
    elif fault[0] == "steps":
        _replace_step(value, fault)
    else:
        _delete(value, fault)


def _replace_step(value: dict[str, Any], fault: Location) -> None:
    """Put a step that does nothing in the place of the bad one: others keep their numbers, it its id."""
    steps = value.get("steps")
    if not isinstance(steps, list) or len(fault) < 2 or not isinstance(fault[1], int):
        value["steps"] = [{"say": ""}]
        return
    step = steps[fault[1]]
    identity = step.get("id") if isinstance(step, dict) and fault[2:3] != ("id",) else None
    steps[fault[1]] = {"say": ""} | ({"id": identity} if identity else {})


def _delete(value: dict[str, Any], fault: Location) -> None:
    """Delete the innermost key of a mapping on the way to the fault."""
    inner: Any = value
    holder, name = value, fault[0]
    for part in fault:
        if not isinstance(inner, dict) or part not in inner:
            break
        holder, name = inner, part
        inner = inner[part]
    holder.pop(str(name), None)
