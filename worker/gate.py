"""The gate that every tool call passes: nothing runs here without a decision that allows exactly it.

It asks, and runs what was allowed; it never decides itself. Whatever fails on the way means: not run.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import anyio
import anyio.lowlevel
import msgspec

from swarm.ipc.messages import ToolEnded, ToolStarted
from swarm.ipc.messages import ToolOutput as OutputEvent
from swarm.permissions.model import Behavior, Decision, Reason, Request
from swarm.permissions.strategies import refusals
from swarm.permissions.strategies.base import Strategy
from swarm.worker import wording
from swarm.worker.calls import RAN, Call, CallOutcome, Outcome
from swarm.worker.errors import Denied, InvalidInput, OverTime, ToolError
from swarm.worker.outbox import Outbox
from swarm.worker.tools.base import Tool, ToolContext, ToolOutput
from swarm.worker.traces import short_trace


class Gate:
    """Passes tool calls of one worker; any number may be on their way at once."""

    def __init__(
        self,
        strategy: Strategy,
        outbox: Outbox,
        context: ToolContext,
        find_tool: Callable[[str], Tool[Any]],
    ) -> None:
        self._strategy = strategy
        self._outbox = outbox
        self._context = context
        self._find_tool = find_tool
        self._count = 0
        self._closed = ""

    def close(self, why: str) -> None:
        """Let nothing through from now on, whatever was or will be allowed."""
        self._closed = self._closed or why

    async def call(
        self,
        tool: str,
        input: Mapping[str, Any],
        title: str = "",
        limit: float | None = None,
        agent: tuple[str, ...] = (),
    ) -> CallOutcome:
        """Ask for a call and run it if it is allowed. `limit` bounds its run in seconds, not the wait.

        Raises nothing but cancellation.
        """
        call = self._new_call(tool, title, limit, agent)
        try:
            output = await self._pass(call, input)
        except anyio.get_cancelled_exc_class():
            self._end(call, "interrupted", "", "it was cancelled")
            raise
        except Denied as error:
            return self._end(
                call, "denied", wording.denial(error.decision), wording.summary(error.decision)
            )
        except OverTime as error:
            return self._end(call, "interrupted", str(error))
        except ToolError as error:
            return self._end(call, "failed", str(error))
        except Exception as error:
            return self._end(call, "failed", short_trace(error), f"{type(error).__name__}: {error}")
        outcome: Outcome = next((known for known in RAN if known == output.outcome), "failed")
        return self._end(call, outcome, output.text, output.summary, output.exit_code)

    def _new_call(self, tool: str, title: str, limit: float | None, agent: tuple[str, ...]) -> Call:
        self._count += 1
        call_id = f"call-{self._count}"

        async def emit(text: str) -> None:
            await self._outbox.emit(OutputEvent(call_id=call_id, text=text))

        return Call(call_id, tool, title, limit, agent, replace(self._context, emit=emit))

    async def _pass(self, call: Call, input: Mapping[str, Any]) -> ToolOutput:
        tool = self._find_tool(call.name)
        await self._prepare(call, tool, input)
        self._announce(call)
        call.decision = await self._decide(call, tool)
        if not call.decision.allowed:
            raise Denied(call.decision)
        if call.decision.updated_input is not None:
            await self._change(call, tool, call.decision.updated_input)
        return await self._run(call, tool)

    async def _prepare(self, call: Call, tool: Tool[Any], input: Mapping[str, Any]) -> None:
        """Decode the input and work out what is shown, both of the same bytes."""
        try:
            call.raw = msgspec.json.encode(dict(input))
            call.arguments = msgspec.json.decode(call.raw, type=tool.input_type)
        except (msgspec.MsgspecError, TypeError, ValueError) as error:
            raise InvalidInput(
                f"The input does not fit {tool.name}, so nothing was run: {error}."
            ) from error
        call.prepared = await tool.prepare(call.arguments, call.context)

    async def _decide(self, call: Call, tool: Tool[Any]) -> Decision:
        """Give the decision about a prepared call. Whatever breaks is a denial."""
        self._check_open()
        try:
            decision = tool.check_permissions(call.arguments, call.context) or await self._ask(call, tool)
        except Exception as error:
            return _not_asked(f"{type(error).__name__}: {error}")
        return decision if isinstance(decision, Decision) else _not_asked("What came back is no decision.")

    async def _ask(self, call: Call, tool: Tool[Any]) -> Decision:
        assert call.prepared is not None
        request = Request(tool.name, msgspec.json.decode(call.raw), str(call.context.cwd))
        return await self._strategy.decide(request, call.prepared.preview, call.call_id, call.agent)

    async def _change(self, call: Call, tool: Tool[Any], updated: Mapping[str, Any]) -> None:
        """Make the call one of the approved input. A tool's own denial holds for that as well."""
        before = call.raw
        await self._prepare(call, tool, updated)
        call.changed = msgspec.json.decode(call.raw) != msgspec.json.decode(before)
        own = tool.check_permissions(call.arguments, call.context)
        if own is not None and not own.allowed:
            raise Denied(own)

    async def _run(self, call: Call, tool: Tool[Any]) -> ToolOutput:
        """Run an allowed call. Nothing is awaited between the last look and the tool's first step."""
        assert call.prepared is not None
        await anyio.lowlevel.checkpoint_if_cancelled()
        self._check_open()
        call.entered = True
        with anyio.move_on_after(call.limit) as scope:
            return await tool.run(call.arguments, call.prepared, call.context)
        assert scope.cancelled_caught
        raise OverTime(call.limit or 0.0)

    def _check_open(self) -> None:
        if self._closed:
            text = f"This call was not run, since the worker is being stopped: {self._closed}"
            raise Denied(Decision(Behavior.DENY, Reason.WORKER_PROXY, text))

    def _announce(self, call: Call) -> None:
        """Tell that the call was made; once, and before its end in any case."""
        if call.announced:
            return
        call.announced = True
        shown = call.prepared.preview.title if call.prepared else call.name
        title = f"{call.title}: {shown}" if call.title else shown
        self._outbox.event(ToolStarted(call_id=call.call_id, tool=call.name, title=title, agent=call.agent))

    def _end(
        self, call: Call, outcome: Outcome, text: str, summary: str = "", exit_code: int | None = None
    ) -> CallOutcome:
        self._announce(call)
        self._outbox.event(
            ToolEnded(
                call_id=call.call_id,
                outcome=outcome,
                summary=summary or text.partition("\n")[0][:200],
                seconds=round(time.monotonic() - call.began, 3),
            )
        )
        note = wording.note(call.decision, call.changed) if call.decision and call.entered else ""
        request_id = self._outbox.request_of(call.call_id)
        return CallOutcome(call.call_id, outcome, text, note, call.decision, request_id, exit_code)


def _not_asked(why: str) -> Decision:
    return Decision(Behavior.DENY, Reason.WORKER_PROXY, refusals.not_asked(why))
