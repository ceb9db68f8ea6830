"""The script agent: runs the steps of a plan in order, each tool call through the gate. Needs no model.

After a failed step the rest is skipped, but for steps that ask for it (`if_failed`), as in CI files. An
attempt after the first takes no step that has ended well before; its output stands as it was noted.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import anyio

from swarm.ipc.variables import Reference, expand
from swarm.worker.agents.base import AgentResult, Host
from swarm.worker.agents.script_calls import (
    Call,
    Deed,
    Say,
    Send,
    deed_of,
    expanded,
    limit_of,
    script_problems,
)
from swarm.worker.agents.script_steps import Script, Step, read_script
from swarm.worker.bounds import bounded
from swarm.worker.errors import InvalidAgent

_LOGGED = 2_000
"""How many bytes of a message are logged."""


def create(config: Mapping[str, Any]) -> "ScriptAgent":
    """Make the agent. Raises InvalidAgent."""
    return ScriptAgent(read_script(config))


@dataclass(frozen=True, slots=True)
class StepEnd:
    """How a step ended, for the steps after it."""

    outcome: str
    output: str = ""
    request_id: str = ""

    @property
    def is_bad(self) -> bool:
        """Whether the step failed, was denied or was cut short."""
        return self.outcome not in ("succeeded", "skipped")


@dataclass(slots=True)
class _Run:
    """What a run has come to so far. `saw_failure` counts any failed step, `has_failed` needed ones."""

    host: Host
    ends: dict[str, StepEnd] = field(default_factory=dict)
    last_output: str = ""
    saw_failure: bool = False
    has_failed: bool = False
    refused: tuple[str, ...] = ()

    def lookup(self, reference: Reference) -> str:
        """Give the value that a reference stands for, without line breaks at its end."""
        if reference.scope == "tasks":
            result = self.host.task.inputs[reference.name]
            return result.status if reference.field == "status" else result.text.rstrip("\r\n")
        end = self.ends[reference.name]
        return end.outcome if reference.field == "outcome" else end.output.rstrip("\r\n")


class ScriptAgent:
    """Runs a script."""

    def __init__(self, script: Script) -> None:
        self._script = script

    async def run(self, host: Host) -> AgentResult:
        """Run the steps. Raises InvalidAgent, before anything has run, for references that cannot hold."""
        if problems := script_problems(self._script, frozenset(host.task.inputs)):
            raise InvalidAgent("script", tuple(problems))
        run = _Run(host)
        async with anyio.create_task_group() as group:
            group.start_soon(_log_messages, host)
            for number, step in enumerate(self._script.steps, 1):
                await _take(run, number, step)
            group.cancel_scope.cancel()
        await host.phase("idle")
        text = expand(self._script.result, run.lookup) if self._script.result else run.last_output
        return AgentResult("failed" if run.has_failed else "succeeded", text, run.refused)


async def _take(run: _Run, number: int, step: Step) -> None:
    """Take a step, or skip it, and note how it ended."""
    if run.saw_failure if step.if_failed else not run.has_failed:
        end = await _do(run, number, step)
    else:
        end = StepEnd("skipped")
        if not step.if_failed:
            await run.host.say(f"Skipped, since a step before it failed: {_name(number, step)}\n")
    if step.id:
        run.ends[step.id] = end
    run.saw_failure |= end.is_bad
    if end.is_bad and not step.continue_on_error:
        run.has_failed = True
        run.refused += (end.request_id,) if end.request_id and end.outcome == "denied" else ()


async def _do(run: _Run, number: int, step: Step) -> StepEnd:
    if (output := run.host.done_before(str(number))) is not None:
        await run.host.say(f"Done in an attempt before this one: {_name(number, step)}\n")
        if isinstance(deed_of(step), Call):
            run.last_output = output
        return StepEnd("succeeded", output)
    deed: Deed = expanded(deed_of(step), run.lookup)
    match deed:
        case Say():
            await run.host.say(deed.text.rstrip("\n") + "\n")
            run.host.note_step(str(number), deed.text)
            return StepEnd("succeeded", deed.text)
        case Send():
            await run.host.send(deed.to, deed.text)
            run.host.note_step(str(number), deed.text)
            return StepEnd("succeeded", deed.text)
        case Call():
            end = await _call(run.host, deed, number, step)
            run.last_output = end.output
            return end


async def _call(host: Host, call: Call, number: int, step: Step) -> StepEnd:
    await host.phase("using_tool", _name(number, step))
    outcome = await host.call(call.tool, call.input, step.name, limit_of(step), step=str(number))
    if outcome.note:
        await host.say(f"{outcome.note}\n")
    if outcome.outcome == "denied":
        await host.say(f"{outcome.output}\n")
    return StepEnd(outcome.outcome, outcome.output, outcome.request_id)


async def _log_messages(host: Host) -> None:
    """A script cannot act on messages; that they came is kept in the log."""
    while True:
        message = await host.next_message()
        text = bounded(message.text, _LOGGED)
        await host.log("info", f"A message from {message.sender or 'the leader'}: {text}")


def _name(number: int, step: Step) -> str:
    return step.name or step.id or f"step {number}"
