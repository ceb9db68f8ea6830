"""The configuration of the script agent: its steps, as written in a plan. Reads them; runs nothing."""

import math
from collections.abc import Mapping
from typing import Any

import msgspec

from swarm.worker.errors import InvalidAgent


class Bash(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A shell command. `timeout` is in seconds."""

    command: str
    timeout: float | None = None


class Read(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file to read, or some of its lines."""

    file_path: str
    offset: int | None = None
    limit: int | None = None


class Write(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file to write."""

    path: str
    content: str


class Edit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A text to replace in a file."""

    path: str
    old: str
    new: str
    replace_all: bool = False


class Glob(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Files to find by name."""

    pattern: str
    path: str | None = None


class Message(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A message for another worker, for all (`*`) or for the leader (empty)."""

    to: str
    text: str


class ToolCall(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A call of any tool, with its input as the tool takes it."""

    name: str
    input: dict[str, Any] = {}


Action = str | Bash | Read | Write | Edit | Glob | Message | ToolCall | dict[str, Any]

LONGEST_SHELL = 600.0
"""How long a shell command may take at most, in seconds; also what holds if a step says nothing."""

ACTIONS = ("bash", "read", "write", "edit", "glob", "grep", "say", "message", "tool")
"""The keys of which a step has exactly one."""


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One step: one action and its options. `timeout` is in seconds and bounds the run, not the wait.

    `grep` takes the input of the Grep tool, or just its pattern.
    """

    bash: str | Bash | msgspec.UnsetType = msgspec.UNSET
    read: str | Read | msgspec.UnsetType = msgspec.UNSET
    write: Write | msgspec.UnsetType = msgspec.UNSET
    edit: Edit | msgspec.UnsetType = msgspec.UNSET
    glob: str | Glob | msgspec.UnsetType = msgspec.UNSET
    grep: str | dict[str, Any] | msgspec.UnsetType = msgspec.UNSET
    say: str | msgspec.UnsetType = msgspec.UNSET
    message: Message | msgspec.UnsetType = msgspec.UNSET
    tool: ToolCall | msgspec.UnsetType = msgspec.UNSET
    id: str = ""
    name: str = ""
    if_failed: bool = False
    continue_on_error: bool = False
    timeout: float | None = None

    def action(self) -> tuple[str, Action]:
        """Give the key and the value of the step's action."""
        (key,) = self.actions()
        value: Action = getattr(self, key)
        return key, value

    def actions(self) -> list[str]:
        """Give the action keys that are set: one, if the step is sound."""
        return [key for key in ACTIONS if getattr(self, key) is not msgspec.UNSET]


class Script(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole script. `result` is the text that other workers get; empty for the last output."""

    steps: list[Step]
    result: str = ""


def read_script(config: Mapping[str, Any]) -> Script:
    """Read the configuration. Raises InvalidAgent with each step that has not exactly one action."""
    try:
        script = msgspec.convert(dict(config), Script)
    except msgspec.ValidationError as error:
        raise InvalidAgent("script", (f"{error}.",)) from error
    if problems := tuple(_problems(script)):
        raise InvalidAgent("script", problems)
    return script


def _problems(script: Script) -> list[str]:
    found = []
    ids: set[str] = set()
    for number, step in enumerate(script.steps, 1):
        if len(step.actions()) != 1:
            given = ", ".join(step.actions()) or "none"
            found.append(f"Step {number} needs exactly one of {', '.join(ACTIONS)}, but has {given}.")
        found += [f"Step {number}: {problem}" for problem in _time_problems(step)]
        if step.id and step.id in ids:
            found.append(
                f"Step {number} has the id {step.id!r}, which an earlier step has: give it another."
            )
        ids.add(step.id)
    return found


def _time_problems(step: Step) -> list[str]:
    inner = step.bash.timeout if isinstance(step.bash, Bash) else None
    longest = LONGEST_SHELL if step.bash is not msgspec.UNSET else math.inf
    bounds = f"above 0 and up to {longest:g}" if longest < math.inf else "above 0"
    return [
        f"its timeout is {limit:g}: write a number of seconds {bounds}."
        for limit in (step.timeout, inner)
        if limit is not None and not 0 < limit <= longest
    ]
