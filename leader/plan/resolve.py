"""Makes a checked plan into what the core runs: every default filled in, every path absolute."""

from typing import Any

from swarm.leader.plan.agents import agent_of, kind_of
from swarm.leader.plan.models import Worker
from swarm.leader.plan.outline import Outline
from swarm.leader.plan.resolved import TeamPlan, WorkerPlan
from swarm.leader.plan.rules import mode_of, rules_of
from swarm.leader.plan.surroundings import folder_of
from swarm.permissions.model import Mode


def resolve(outline: Outline) -> TeamPlan:
    """Give the team of a plan that has no problems."""
    file = outline.document.file.absolute()
    return TeamPlan(
        name=outline.name or (file.parent.name if file.stem in ("plan", "swarm") else file.stem),
        file=file,
        workers=tuple(_worker(outline, name, worker) for name, worker in outline.workers.items()),
        mode=mode_of(outline.permissions) or Mode.DEFAULT,
        rules=rules_of(outline, outline.permissions, ()),
        max_parallel=outline.max_parallel,
        text=outline.document.text,
        classifier=tuple(outline.classifier.command) if outline.classifier else (),
    )


def _worker(outline: Outline, name: str, worker: Worker) -> WorkerPlan:
    defaults = outline.defaults
    return WorkerPlan(
        name=name,
        kind=kind_of(agent_of(outline, worker)),
        cwd=folder_of(outline.document.file, worker.cwd or defaults.cwd),
        agent=_script(worker),
        prompt=worker.prompt or "",
        needs=tuple(worker.needs),
        color=worker.color or defaults.color or "",
        env={**defaults.env, **worker.env},
        timeout=worker.timeout or defaults.timeout,
        retries=(defaults.retries or 0) if worker.retries is None else worker.retries,
        memory=worker.memory or defaults.memory,
        output=worker.output or defaults.output,
        mode=mode_of(worker.permissions),
        rules=rules_of(outline, worker.permissions, ("workers", name)),
    )


def _script(worker: Worker) -> dict[str, Any]:
    """Give the script agent's configuration: its steps, and its result if the plan words one."""
    steps = [step.model_dump(exclude_unset=True, exclude_none=True) for step in worker.steps or ()]
    return {"steps": steps} | ({"result": worker.result} if worker.result is not None else {})
