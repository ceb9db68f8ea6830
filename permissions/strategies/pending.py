"""Calls that were sent up for a decision and wait for it. Decides nothing; whatever fails is a denial."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

import anyio
import anyio.lowlevel
import msgspec

from swarm.ipc.errors import ChannelClosed, IpcError
from swarm.ipc.messages import PermissionRequest, PermissionResponse, PermissionWithdrawn, Preview
from swarm.permissions.model import Behavior, Decision, Reason, Request
from swarm.permissions.strategies import refusals
from swarm.permissions.wire import decision_of, digest_of, request_message


class Outlet(Protocol):
    """The way up, as much of a channel as is needed here."""

    def send(self, message: PermissionRequest | PermissionWithdrawn) -> str:
        """Queue `message` and return its id, before any answer to it can come. Raises IpcError."""

    def wait_briefly(self) -> None:
        """Deliver an answer that comes within a millisecond; return without one otherwise."""


def ignore(report: str) -> None:
    """Take a report that nobody reads."""


@dataclass(slots=True)
class _Waiting:
    """One call that waits."""

    call_id: str
    digest: str
    message: PermissionRequest
    decision: Decision | None = None
    answered: anyio.Event = field(default_factory=anyio.Event)

    def resolve(self, decision: Decision) -> None:
        if self.decision is None:
            self.decision = decision
            self.answered.set()


def _refusal(message: str) -> Decision:
    return Decision(Behavior.DENY, Reason.WORKER_PROXY, message)


class PendingCalls:
    """The table of waiting calls, keyed by request id.

    Used from one event loop. `report` gets a line for each answer that fits no waiting call.
    """

    def __init__(self, outlet: Outlet, report: Callable[[str], None] = ignore) -> None:
        self._outlet = outlet
        self._report = report
        self._waiting: dict[str, _Waiting] = {}
        self._gone: str | None = None

    def __repr__(self) -> str:
        state = "open" if self._gone is None else f"closed: {self._gone}"
        return f"<PendingCalls {len(self._waiting)} waiting, {state}>"

    def __len__(self) -> int:
        return len(self._waiting)

    async def ask(
        self,
        request: Request,
        preview: Preview,
        call_id: str,
        agent: tuple[str, ...] = (),
        limit: float | None = None,
        *,
        interrupted: bool = False,
    ) -> Decision:
        """Send one call up and wait for its decision, `limit` seconds at most if it is given.

        When the caller is cancelled, the request is withdrawn.
        """
        if self._gone is not None:
            return _refusal(refusals.leader_gone(self._gone))
        try:
            message = request_message(request, preview, call_id, agent)
            if interrupted:
                message = msgspec.structs.replace(message, interrupted=True)
            waiting = _Waiting(call_id, digest_of(message), message)
            request_id = self._outlet.send(message)
        except ChannelClosed as error:
            return _refusal(refusals.leader_gone(error.why))
        except Exception as error:  # input that is no JSON, a full or misused channel: nothing was asked
            return _refusal(refusals.not_asked(f"{type(error).__name__}: {error}"))
        return await self._answer(request_id, waiting, limit)

    async def _answer(self, request_id: str, waiting: _Waiting, limit: float | None) -> Decision:
        self._waiting[request_id] = waiting
        why = "the call was cancelled"
        try:
            self._outlet.wait_briefly()
            if waiting.decision is not None:
                await anyio.lowlevel.checkpoint_if_cancelled()
            elif limit is None:
                await waiting.answered.wait()
            else:
                with anyio.move_on_after(limit):
                    await waiting.answered.wait()
                why = f"no answer came within {limit:g} s"
        finally:
            del self._waiting[request_id]
            if waiting.decision is None:
                self._send_withdrawal(request_id, why)
        return waiting.decision or _refusal(refusals.timed_out(limit or 0))

    def send_again(self) -> None:
        """Send every request that waits once more, under its id. One that cannot be sent is refused."""
        for request_id, waiting in list(self._waiting.items()):
            if waiting.decision is None:
                try:
                    self._outlet.send(msgspec.structs.replace(waiting.message, id=request_id))
                except IpcError as error:
                    waiting.resolve(_refusal(refusals.not_asked(str(error))))

    def _send_withdrawal(self, request_id: str, why: str) -> None:
        try:
            self._outlet.send(PermissionWithdrawn(request_id=request_id, why=why))
        except IpcError as error:
            self._report(f"The withdrawal of {request_id} could not be sent: {error}")

    def deliver(self, response: PermissionResponse) -> None:
        """Give an answer to the call that waits for it. One that fits none is reported and dropped."""
        waiting = self._waiting.get(response.request_id)
        if waiting is None or waiting.decision is not None:
            self._report(
                f"An answer to {response.request_id[:40]!a} was ignored: no call waits for it; "
                "it was answered or withdrawn before, or never asked."
            )
            return
        decision = decision_of(response, waiting.digest)
        if response.behavior == "allow" and not decision.allowed:
            self._report(f"The answer to {response.request_id} was refused: {decision.message}")
        waiting.resolve(decision)

    def withdraw(self, call_id: str, why: str) -> bool:
        """End the wait of a call, which is told so; False if no such call waits."""
        found = False
        for request_id, waiting in list(self._waiting.items()):
            if waiting.call_id == call_id and waiting.decision is None:
                waiting.resolve(_refusal(refusals.withdrawn(why)))
                self._send_withdrawal(request_id, why)
                found = True
        return found

    def closed(self, why: str) -> None:
        """Deny every waiting call and all later ones: nobody is there to answer. Idempotent."""
        if self._gone is None:
            self._gone = why
        for waiting in self._waiting.values():
            waiting.resolve(_refusal(refusals.leader_gone(why)))
