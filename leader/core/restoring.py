"""Makes requests that another leader left into ones that wait here, as they were first shown. Pure."""

from collections.abc import Callable
from dataclasses import dataclass

from swarm.ipc.messages import PermissionRequest, PermissionResponse
from swarm.leader.core.asking import Judge
from swarm.leader.core.requests import PendingRequest, RequestState, size_of
from swarm.leader.core.verdicts import requests_shown, verdict_of
from swarm.leader.core.views import RequestView
from swarm.leader.session.entries import CallDecided, RequestAsked, RequestDecided
from swarm.permissions.model import Decision
from swarm.permissions.wire import request_of, response_message

Respond = Callable[[PermissionResponse], None]


@dataclass(frozen=True, slots=True)
class LeftRequest:
    """A request without an end, as the journal tells of it. `asked_at` is in seconds of the epoch.

    `entry` is the number of the entry that asks.
    """

    asked: RequestAsked
    asked_at: float
    entry: int = 0
    decided: RequestDecided | None = None
    delivered: bool = False

    @property
    def number(self) -> int:
        """The number in its short id."""
        digits = self.asked.request_id.removeprefix("r")
        return int(digits) if digits.isdecimal() else 0

    @property
    def decision(self) -> Decision | None:
        """What was decided, if that was written."""
        made = self.decided
        if made is None:
            return None
        return Decision(made.behavior, made.reason, made.message, made.rule, made.updated_input)


def answer_of(call: CallDecided) -> PermissionResponse:
    """Give the answer that rules gave to a call."""
    decision = Decision(call.behavior, call.reason, call.message, call.rule, call.updated_input)
    return response_message(call.wire_id, call.digest, decision)


def message_of(asked: RequestAsked) -> PermissionRequest:
    """Give the worker's message that an entry tells of."""
    return PermissionRequest(
        id=asked.wire_id,
        call_id=asked.call_id,
        tool=asked.tool,
        input=asked.input,
        cwd=asked.cwd,
        preview=asked.preview,
        agent=asked.agent,
        interrupted=asked.interrupted,
    )


def pending_of(left: LeftRequest, color: str, judge: Judge, respond: Respond) -> PendingRequest:
    """Give the request as it waits again: under its first id, with its first age."""
    asked, message = left.asked, message_of(left.asked)
    request, shown = request_of(message), requests_shown(message)
    verdict = verdict_of(
        lambda found: judge.verdict(asked.worker, found), request, shown, asked.interrupted
    )
    view = RequestView(
        id=asked.request_id,
        worker=asked.worker,
        color=color,
        agent=asked.agent,
        tool=asked.tool,
        input=asked.input,
        cwd=asked.cwd,
        preview=asked.preview,
        digest=asked.digest,
        asked_at=left.asked_at,
        why=asked.why,
        parts=verdict.parts,
        offers=judge.offers(asked.worker, request),
    )
    return PendingRequest(
        asked.wire_id,
        asked.call_id,
        request,
        view,
        respond,
        size_of(message),
        shown,
        state=_state_of(left),
        decision=left.decision,
        interrupted=asked.interrupted,
    )


def _state_of(left: LeftRequest) -> RequestState:
    if left.decided is None:
        return RequestState.ASKED
    return RequestState.DELIVERED if left.delivered else RequestState.DECIDED
