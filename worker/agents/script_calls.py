"""Turns a script's step into what it does, with the values of its references put in. Pure.

A value goes into a shell command only as one quoted word; the check of where one may stand is repeated
here, whoever read the plan before.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from swarm.ipc.shell_variables import shell_problems, shell_quote
from swarm.ipc.variables import Reference, expand, parse
from swarm.worker.agents.script_steps import (
    LONGEST_SHELL,
    Bash,
    Edit,
    Glob,
    Message,
    Read,
    Script,
    Step,
    ToolCall,
    Write,
)

Lookup = Callable[[Reference], str]

SHELL_TEXT = {("Bash", "command")}
"""The inputs of tools that a shell reads."""


@dataclass(frozen=True, slots=True)
class Call:
    """A tool to call."""

    tool: str
    input: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Say:
    """A text for the person."""

    text: str


@dataclass(frozen=True, slots=True)
class Send:
    """A message to send."""

    to: str
    text: str


Deed = Call | Say | Send


def deed_of(step: Step) -> Deed:
    """Give what a step does, with its references still in it."""
    key, action = step.action()
    match action:
        case str():
            return _shell(step, action, step.timeout) if key == "bash" else _of_text(key, action)
        case Bash():
            limits = [limit for limit in (step.timeout, action.timeout) if limit is not None]
            return _shell(step, action.command, min(limits, default=None))
        case Read():
            return Call(
                "Read", _given(file_path=action.file_path, offset=action.offset, limit=action.limit)
            )
        case Write():
            return Call("Write", {"file_path": action.path, "content": action.content})
        case Edit():
            strings = {"old_string": action.old, "new_string": action.new}
            return Call("Edit", {"file_path": action.path, **strings, "replace_all": action.replace_all})
        case Glob():
            return Call("Glob", _given(pattern=action.pattern, path=action.path))
        case Message():
            return Send(action.to, action.text)
        case ToolCall():
            return Call(action.name, action.input)
        case dict():
            return Call("Grep", action)


def limit_of(step: Step) -> float | None:
    """Give how long a step's tool may run, in seconds; None if the tool itself keeps the limit."""
    return None if step.actions() == ["bash"] else step.timeout


def expanded(deed: Deed, lookup: Lookup) -> Deed:
    """Put in what `lookup` gives for each reference. Raises BadReference and what `lookup` raises."""
    match deed:
        case Say():
            return Say(expand(deed.text, lookup))
        case Send():
            return Send(expand(deed.to, lookup), expand(deed.text, lookup))
        case Call():
            return Call(
                deed.tool, {key: _put_in(deed.tool, key, deed.input[key], lookup) for key in deed.input}
            )


def script_problems(script: Script, tasks: frozenset[str]) -> list[str]:
    """Give everything wrong with the references of a script, given the names of the workers it needs."""
    found: list[str] = []
    known: set[str] = set()
    for number, step in enumerate(script.steps, 1):
        for text, is_shell in _texts(deed_of(step)):
            found += [
                f"Step {number}: {problem}" for problem in _text_problems(text, is_shell, tasks, known)
            ]
        known.add(step.id)
    found += [f"result: {problem}" for problem in _text_problems(script.result, False, tasks, known)]
    return found


def _of_text(key: str, text: str) -> Deed:
    match key:
        case "say":
            return Say(text)
        case "read":
            return Call("Read", {"file_path": text})
        case _:
            return Call(key.capitalize(), {"pattern": text})


def _shell(step: Step, command: str, limit: float | None) -> Call:
    """Give the shell's call. The tool keeps the limit, so that what was printed until then is kept."""
    milliseconds = math.ceil((LONGEST_SHELL if limit is None else limit) * 1000)
    named = {"description": step.name} if step.name else {}
    return Call("Bash", {"command": command, "timeout": milliseconds, **named})


def _given(**fields: Any) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def _put_in(tool: str, key: str, value: Any, lookup: Lookup) -> Any:
    match value:
        case str():
            return expand(value, lookup, shell_quote if (tool, key) in SHELL_TEXT else None)
        case dict():
            return {inner: _put_in(tool, "", value[inner], lookup) for inner in value}
        case list():
            return [_put_in(tool, "", item, lookup) for item in value]
        case _:
            return value


def _texts(deed: Deed) -> Iterator[tuple[str, bool]]:
    """Give each text that may hold references, and whether a shell reads it."""
    match deed:
        case Say():
            yield deed.text, False
        case Send():
            yield from ((deed.to, False), (deed.text, False))
        case Call():
            for key, value in deed.input.items():
                yield from ((text, (deed.tool, key) in SHELL_TEXT) for text in _strings(value))


def _strings(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict():
            for inner in value.values():
                yield from _strings(inner)
        case list():
            for item in value:
                yield from _strings(item)
        case _:
            return


def _text_problems(text: str, is_shell: bool, tasks: frozenset[str], steps: set[str]) -> Iterator[str]:
    parsed = parse(text)
    yield from (problem.text for problem in (shell_problems(text) if is_shell else parsed.problems))
    for reference in parsed.references:
        if reference.scope == "tasks" and reference.name not in tasks:
            yield f"{reference} needs the worker {reference.name!r}: add it to `needs`."
        if reference.scope == "steps" and reference.name not in steps:
            yield f"{reference} names no earlier step: give a step above the id {reference.name!r}."
