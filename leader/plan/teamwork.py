"""Checks what workers say of each other: needs and references. Starts nothing."""

from collections.abc import Iterator

from swarm.ipc.shell_variables import shell_problems
from swarm.ipc.variables import Reference, parse
from swarm.leader.errors import nearest
from swarm.leader.plan.document import Location
from swarm.leader.plan.errors import Problem
from swarm.leader.plan.graph import all_needs, find_cycles
from swarm.leader.plan.models import Worker
from swarm.leader.plan.outline import Outline
from swarm.leader.plan.steps import ACTIONS, Step


def check_needs(outline: Outline) -> Iterator[Problem]:
    """Give each unknown, repeated or own name in `needs`, and each cycle."""
    document = outline.document
    for name, worker in outline.workers.items():
        for index, other in enumerate(worker.needs):
            place = document.place(("workers", name, "needs", index))
            if other == name:
                yield document.problem(place, f"{name} cannot need itself.", "Remove it.")
            elif other not in outline.names:
                yield document.problem(place, *_unknown_worker(outline, other))
            elif other in worker.needs[:index]:
                yield document.problem(place, f"{other} is named a second time.", "Keep one of them.")
    others = {name: [o for o in worker.needs if o != name] for name, worker in outline.workers.items()}
    for cycle in find_cycles(others):
        place = document.place(("workers", cycle[0], "needs"), key=True)
        chain = " needs ".join(cycle)
        yield document.problem(place, f"These wait for each other: {chain}.", "One of them must go first.")


def check_references(outline: Outline) -> Iterator[Problem]:
    """Give each reference that is malformed, leads nowhere, or to a worker that is not waited for."""
    reach = all_needs({name: worker.needs for name, worker in outline.workers.items()})
    for name, worker in outline.workers.items():
        for location, text, earlier in _texts(worker):
            if "${" in text:
                where: Location = ("workers", name, *location)
                yield from _malformed(outline, where, text)
                yield from _dangling(outline, where, text, name, reach[name], earlier)


def _unknown_worker(outline: Outline, name: str) -> tuple[str, str]:
    near = nearest(name, outline.names)
    known = f"Workers: {', '.join(outline.names[:10])}{', …' if len(outline.names) > 10 else ''}."
    return f"No worker is called {name!r}.{near}", "" if near else known


def _texts(worker: Worker) -> Iterator[tuple[Location, str, tuple[str, ...]]]:
    """Give each text that may hold references, and the ids of the steps that come before it."""
    ids: tuple[str, ...] = ()
    if worker.prompt:
        yield ("prompt",), worker.prompt, ids
    for index, step in enumerate(worker.steps or ()):
        for location, text in _step_texts(step):
            yield ("steps", index, *location), text, ids
        ids = (*ids, step.id) if step.id else ids
    if worker.result:
        yield ("result",), worker.result, ids


def _step_texts(step: Step) -> Iterator[tuple[Location, str]]:
    for action in ACTIONS:
        value = getattr(step, action)
        if isinstance(value, str):
            yield (action,), value
        elif value is not None:
            yield from _leaves(value.model_dump(), (action,))


def _leaves(value: object, location: Location) -> Iterator[tuple[Location, str]]:
    match value:
        case str():
            yield location, value
        case dict():
            for key, item in value.items():
                yield from _leaves(item, (*location, key))
        case list():
            for index, item in enumerate(value):
                yield from _leaves(item, (*location, index))


def _is_command(location: Location) -> bool:
    return location[-2:] == ("bash", "command")


def _malformed(outline: Outline, location: Location, text: str) -> Iterator[Problem]:
    document = outline.document
    found = shell_problems(text) if _is_command(location) else parse(text).problems
    for problem in found:
        start, end = problem.span
        part = text[start:end]
        place = document.place_within(_known(outline, location), part, text.count(part, 0, start))
        yield document.problem(place, problem.text)


def _known(outline: Outline, location: Location) -> Location:
    """The short form of a step has no key of its own: its text stands one level up."""
    return location if location in outline.document.marks else location[:-1]


def _dangling(
    outline: Outline, location: Location, text: str, name: str, reach: set[str], earlier: tuple[str, ...]
) -> Iterator[Problem]:
    document = outline.document
    for reference in parse(text).references:
        found = _what_is_wrong(outline, reference, name, reach, earlier)
        if found:
            part = text[slice(*reference.span)]
            count = text.count(part, 0, reference.span[0])
            place = document.place_within(_known(outline, location), part, count)
            yield document.problem(place, *found)


def _what_is_wrong(
    outline: Outline, reference: Reference, name: str, reach: set[str], earlier: tuple[str, ...]
) -> tuple[str, str] | None:
    target = reference.name
    if reference.scope == "steps":
        if target in earlier:
            return None
        near = nearest(target, earlier)
        advice = "A step refers to steps of the same worker that stand before it and have an `id`."
        return f"{reference} refers to no earlier step.{near}", advice
    if target == name:
        return f"{reference} refers to {name} itself.", "Use ${steps.ID.output} within a worker."
    if target not in outline.names:
        return _unknown_worker(outline, target)
    if target not in reach:
        return f"{reference} is not there yet when {name} starts.", f"Add {target} to `needs` of {name}."
    return None
