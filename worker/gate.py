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
from swarm.permissions.wire import digest_of
from swarm.worker import wording
from swarm.worker.call_journal import CallJournal
from swarm.worker.calls import RAN, Call, CallOutcome, Outcome
from swarm.worker.errors import Denied, InvalidInput, OverTime, ToolError
from swarm.worker.hold import Hold
from swarm.worker.outbox import Outbox
from swarm.worker.past import INTERRUPTED
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
        *,
        hold: Hold | None = None,
        journal: CallJournal | None = None,
    ) -> None:
        self._strategy = strategy
        self._outbox = outbox
        self._context = context
        self._find_tool = find_tool
        self._hold = hold or Hold()
        self._journal = journal or CallJournal()
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
        step: str = "",
    ) -> CallOutcome:
        """Ask for a call and run it if it is allowed. `limit` bounds its run in seconds, not the wait.

        `step` names what the call does, so that a later attempt of this worker knows it again.

        Raises nothing but cancellation.
        """
        call = self._new_call(tool, title, limit, agent, step)
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

    def _new_call(
        self, tool: str, title: str, limit: float | None, agent: tuple[str, ...], step: str
    ) -> Call:
        self._count += 1
        call_id = f"call-{self._count}"

        async def emit(text: str) -> None:
            await self._outbox.emit(OutputEvent(call_id=call_id, text=text))

        interrupted = self._journal.past.may_have_had_effects(step, tool)
        context = replace(self._context, emit=emit)
        return Call(call_id, tool, title, limit, agent, context, step, interrupted)

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
            own = tool.check_permissions(call.arguments, call.context)
            if own is not None and call.interrupted and own.allowed:
                own = None  # whether it may be done twice is for a person to say
            decision = own or await self._ask(call, tool)
        except Exception as error:
            return _not_asked(f"{type(error).__name__}: {error}")
        return decision if isinstance(decision, Decision) else _not_asked("What came back is no decision.")

    async def _ask(self, call: Call, tool: Tool[Any]) -> Decision:
        assert call.prepared is not None
        request = Request(tool.name, msgspec.json.decode(call.raw), str(call.context.cwd))
        preview = call.prepared.preview
        if call.interrupted:
            note = f"{INTERRUPTED} {preview.note}".strip()
            preview = msgspec.structs.replace(preview, note=note)
        return await self._strategy.decide(
            request, preview, call.call_id, call.agent, interrupted=call.interrupted
        )

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
        await self._hold.over()
        await anyio.lowlevel.checkpoint_if_cancelled()
        self._check_open()
        self._note_beginning(call, tool)
        call.entered = True
        with anyio.move_on_after(call.limit) as scope:
            return await tool.run(call.arguments, call.prepared, call.context)
        assert scope.cancelled_caught
        raise OverTime(call.limit or 0.0)

    def _check_open(self) -> None:
        if self._closed:
            text = f"This call was not run, since the worker is being stopped: {self._closed}"
            raise Denied(Decision(Behavior.DENY, Reason.WORKER_PROXY, text))

    def _note_beginning(self, call: Call, tool: Tool[Any]) -> None:
        """Put on record that the tool begins. Raises NotNoted."""
        if self._journal.is_kept:
            asked = self._outbox.request_of(call.call_id)
            request, digest = (asked.id, digest_of(asked)) if asked else ("", "")
            self._journal.begin(call.call_id, tool.name, request, digest, call.step)

    def _note_end(self, call: Call, outcome: Outcome, request: str, output: str) -> None:
        if call.entered and self._journal.is_kept:
            try:
                self._journal.end(call.call_id, outcome, request, call.step, output)
            except OSError as error:
                self._outbox.log("warning", f"The end of {call.call_id} could not be noted: {error}")

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
        asked = self._outbox.request_of(call.call_id)
        request_id = asked.id if asked else ""
        self._note_end(call, outcome, request_id, text)
        self._outbox.event(
            ToolEnded(
                call_id=call.call_id,
                outcome=outcome,
                summary=summary or text.partition("\n")[0][:200],
                seconds=round(time.monotonic() - call.began, 3),
            )
        )
        note = wording.note(call.decision, call.changed) if call.decision and call.entered else ""
        self._outbox.forget(call.call_id)
        return CallOutcome(call.call_id, outcome, text, note, call.decision, request_id, exit_code)


def _not_asked(why: str) -> Decision:
    return Decision(Behavior.DENY, Reason.WORKER_PROXY, refusals.not_asked(why))
