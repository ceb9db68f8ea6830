"""The shape of a plan file, for checking it and for the JSON Schema that editors use.

Shape only: what names, references and rules mean is checked elsewhere. Values are never converted from
one type to another, but for durations, sizes and the short forms of steps.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from swarm.leader.plan.durations import parse_duration
from swarm.leader.plan.sizes import parse_memory, parse_size
from swarm.leader.plan.steps import Step

ModeName = Literal["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"]
Duration = Annotated[float, BeforeValidator(parse_duration, json_schema_input_type=str | float)]
Size = Annotated[int, BeforeValidator(parse_size, json_schema_input_type=str | int)]
Memory = Annotated[int, BeforeValidator(parse_memory, json_schema_input_type=str | int)]
Isolation = Literal["none", "worktree"]
MOST_PARALLEL = 1000


def _check_agent(value: object) -> object:
    """Accept `script`, or one kind with its own settings, `{acp: [gemini, --acp]}`."""
    if isinstance(value, str) or (isinstance(value, dict) and len(value) == 1):
        return value
    raise ValueError("An agent is the name of its kind, or one kind with its settings: {acp: [PROGRAM]}.")


Agent = Annotated[Any, BeforeValidator(_check_agent, json_schema_input_type=str | dict[str, Any])]


def _check_parallel(value: object) -> object:
    """Accept a number of workers or the word `auto`."""
    if value == "auto":
        return value
    if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= MOST_PARALLEL:
        return value
    raise ValueError(f"Write a whole number from 1 to {MOST_PARALLEL}, or `auto`.")


Parallel = Annotated[int | Literal["auto"], BeforeValidator(_check_parallel)]
Retries = Annotated[int, Field(ge=0, le=100)]


class Model(BaseModel):
    """What all parts of a plan share: unknown keys are errors, and nothing is converted."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, use_attribute_docstrings=True)


class Permissions(Model):
    """Which tool calls run, which are asked about and which are refused."""

    mode: ModeName | None = None
    """What holds where no rule decides."""
    allow: list[str] = []
    """Calls that run without a question, for example `Bash(pytest:*)`."""
    ask: list[str] = []
    """Calls that are asked about even where a rule allows them."""
    deny: list[str] = []
    """Calls that never run. A deny wins over all else."""


class Classifier(Model):
    """A program that says which calls are so harmless that nobody needs to be asked."""

    command: Annotated[list[str], Field(min_length=1)]
    """The program and its arguments. No shell reads them."""


class Settings(Model):
    """What stands under `defaults`, and may be said anew by each worker."""

    agent: Agent | None = None
    """Which agent does the work."""
    isolation: Isolation | None = None
    """Where it works: `none` is the folder `cwd` itself."""
    timeout: Duration | None = None
    """How long the worker may take in all: "90s", "30m", "1h30m", or seconds."""
    retries: Retries | None = None
    """How often the worker is started again after a crash."""
    memory: Memory | None = None
    """How much memory all its processes may take together: "512MiB", "2GiB", or bytes."""
    output: Size | None = None
    """How much the worker may report and log in all: "10MiB", or bytes."""
    cwd: str | None = None
    """The folder it works in, seen from the plan's folder."""
    env: dict[str, str] = {}
    """Variables that are added to the environment of its tools."""
    color: str | None = None
    """A name of the palette, or "#rrggbb". Without one, the worker gets the next free one."""


class Worker(Settings):
    """One member of the team."""

    prompt: str | None = None
    """What the agent is told to do; `${tasks.NAME.result}` puts in what another worker gave."""
    steps: list[Step] | None = None
    """What a `script` worker does, one step after another."""
    result: str | None = None
    """What a `script` worker gives to others; without it, the output of its last step."""
    needs: list[str] = []
    """The workers that must have succeeded before this one starts."""
    permissions: Permissions = Permissions()
    """Rules of this worker alone, which come on top of the plan's."""


class Head(Model):
    """Everything in a plan but its workers."""

    version: Literal[1]
    """The version of the plan's format."""
    name: Annotated[str, Field(min_length=1, max_length=80)] | None = None
    """What the team is called; without one, the plan's file name, or its folder's if it is `plan.yaml`."""
    defaults: Settings = Settings()
    """What holds for each worker that does not say otherwise."""
    permissions: Permissions = Permissions()
    """Rules for all workers."""
    classifier: Classifier | None = None
    """A program that may let calls run that no rule decides: `command: [PROGRAM, ARGUMENT, …]`."""
    max_parallel: Parallel | None = None
    """How many workers run at once at most; `auto`: as many as there is free memory and CPU for."""


class Plan(Head):
    """A team of agents and what each of them does."""

    workers: dict[str, Worker]
    """The team: each worker by its name."""
