"""A plan after all checks, with every default filled in: what the core runs. Plain values only."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from swarm.permissions.model import Mode, RuleText


@dataclass(frozen=True, slots=True)
class WorkerPlan:
    """One worker. `agent` is the agent's own configuration (for `script`: its steps), `kind` its name.

    `timeout` is in seconds, None for no limit. `retries` is how often it is started again after a
    crash. `memory` and `output` are limits in bytes, None for no limit. `rules` narrow what the plan
    allows. `color` is a name of the palette or "#rrggbb"; empty means: give it one of the cycle. `cwd` is
    absolute.
    """

    name: str
    kind: str
    cwd: Path
    agent: Mapping[str, Any] = field(default_factory=dict)
    prompt: str = ""
    needs: tuple[str, ...] = ()
    color: str = ""
    env: Mapping[str, str] = field(default_factory=dict)
    timeout: float | None = None
    retries: int = 0
    memory: int | None = None
    output: int | None = None
    mode: Mode | None = None
    rules: tuple[RuleText, ...] = ()


Parallel = int | Literal["auto"] | None
"""How many workers run at once at most: a number, as many as the machine has room for, or no limit."""


@dataclass(frozen=True, slots=True)
class TeamPlan:
    """The whole plan. Workers stand in the order of the file. `text` is the file as it was read.

    `classifier` is the command of a program that may let calls run; empty for none.
    """

    name: str
    file: Path
    workers: tuple[WorkerPlan, ...]
    mode: Mode = Mode.DEFAULT
    rules: tuple[RuleText, ...] = ()
    max_parallel: Parallel = None
    text: str = ""
    classifier: tuple[str, ...] = ()
