"""Which kinds of agents there are, and what a worker of each must and must not have."""

from collections.abc import Iterator
from typing import Any

from swarm.leader.errors import nearest
from swarm.leader.plan.errors import Problem
from swarm.leader.plan.models import Worker
from swarm.leader.plan.outline import Outline

AVAILABLE = ("script",)
PLANNED = ("claude", "acp", "codex", "llm")
"""Kinds that plans may name one day; until then each is refused by name."""
SCRIPT_KEYS = ("steps", "result")


def agent_of(outline: Outline, worker: Worker) -> Any:
    """Give the worker's agent, or the default one; whoever has steps needs to name none."""
    return worker.agent or outline.defaults.agent or ("script" if worker.steps else None)


def kind_of(agent: Any) -> str:
    """Give the kind, from the short or the long form."""
    return str(next(iter(agent))) if isinstance(agent, dict) else str(agent)


def check_agents(outline: Outline) -> Iterator[Problem]:
    """Give each worker whose agent is unknown, not available, or lacks what it works from."""
    default = outline.defaults.agent
    if default is not None and kind_of(default) not in AVAILABLE:
        place = outline.document.place(("defaults", "agent"))
        yield outline.document.problem(place, *_not_available(kind_of(default)))
    for name, worker in outline.workers.items():
        agent = agent_of(outline, worker)
        if agent is None:
            yield _at(outline, name, "", f"{name} has no agent.", "Write `agent: script` and its steps.")
        elif kind_of(agent) in AVAILABLE:
            yield from _check_script(outline, name, worker, agent)
        elif worker.agent:
            yield _at(outline, name, "agent", *_not_available(kind_of(agent)))


def _not_available(kind: str) -> tuple[str, str]:
    if kind in PLANNED:
        return f"The agent {kind} is not available in this version.", f"Available: {', '.join(AVAILABLE)}."
    near = nearest(kind, (*AVAILABLE, *PLANNED))
    return f"No agent is called {kind!r}.{near}", f"Available: {', '.join(AVAILABLE)}."


def _check_script(outline: Outline, name: str, worker: Worker, agent: Any) -> Iterator[Problem]:
    if isinstance(agent, dict):
        yield _at(outline, name, "agent", "script has no settings.", "Write `agent: script`.")
    if not worker.steps:
        yield _at(outline, name, "", f"{name} has no steps.", "A script works from `steps:`.")
    if worker.prompt is not None:
        yield _at(outline, name, "prompt", "A script takes no prompt.", "Say what it does in `steps`.")
    seen: set[str] = set()
    for index, step in enumerate(worker.steps or ()):
        if step.id in seen:
            place = outline.document.place(("workers", name, "steps", index, "id"))
            yield outline.document.problem(place, f"Two steps of {name} have the id {step.id!r}.")
        seen.add(step.id or "")
    for to, place_of in _recipients(worker):
        if to not in ("*", "", *outline.names):
            near = nearest(to, outline.names)
            place = outline.document.place(("workers", name, *place_of))
            yield outline.document.problem(place, f"No worker is called {to!r}.{near}")


def _recipients(worker: Worker) -> Iterator[tuple[str, tuple[str | int, ...]]]:
    for index, step in enumerate(worker.steps or ()):
        if step.message:
            yield step.message.to, ("steps", index, "message", "to")


def _at(outline: Outline, name: str, key: str, text: str, advice: str) -> Problem:
    location = ("workers", name, key) if key else ("workers", name)
    return outline.document.problem(outline.document.place(location, key=not key), text, advice)
