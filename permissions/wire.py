"""The one place where permission types become wire types and back. Trusts nothing that comes in.

Whatever an answer lacks, contradicts or does not know makes it a denial that says so.
"""

from typing import Final

from swarm.ipc.digest import content_digest
from swarm.ipc.messages import PermissionRequest, PermissionResponse, Preview
from swarm.permissions.model import Behavior, Decision, Reason, Request

_BEHAVIORS: Final[dict[str, Behavior]] = {
    Reason.SETTINGS_ALLOW: Behavior.ALLOW,
    Reason.SETTINGS_DENY: Behavior.DENY,
    Reason.COORDINATOR_ALLOW: Behavior.ALLOW,
    Reason.COORDINATOR_DENY: Behavior.DENY,
    Reason.SPECULATIVE_ALLOW: Behavior.ALLOW,
    Reason.INTERACTIVE_ALLOW_ONCE: Behavior.ALLOW,
    Reason.INTERACTIVE_ALLOW_ALWAYS: Behavior.ALLOW,
    Reason.INTERACTIVE_DENY: Behavior.DENY,
}
"""What a leader can answer: each reason with the behavior it stands for. A leader is no worker's proxy."""


def request_message(
    request: Request, preview: Preview, call_id: str, agent: tuple[str, ...] = ()
) -> PermissionRequest:
    """Give the message that asks about one call; its id is still empty."""
    return PermissionRequest(
        call_id=call_id,
        tool=request.tool,
        input=dict(request.input),
        cwd=request.cwd,
        preview=preview,
        agent=agent,
    )


def request_of(message: PermissionRequest) -> Request:
    """Give the request that a message asks about, as it came: its content is hostile."""
    return Request(message.tool, message.input, message.cwd)


def digest_of(message: PermissionRequest) -> str:
    """Give the digest of what a message asks. Raises if the input cannot be written as JSON."""
    return content_digest(message.tool, message.input, message.cwd, message.preview)


def response_message(request_id: str, digest: str, decision: Decision) -> PermissionResponse:
    """Give the answer that carries a leader's decision about the content of that digest."""
    updated = decision.updated_input
    return PermissionResponse(
        request_id=request_id,
        digest=digest,
        behavior="allow" if decision.allowed else "deny",
        reason=decision.reason.value,
        message=decision.message,
        rule=decision.rule,
        updated_input=dict(updated) if decision.allowed and updated is not None else None,
    )


def decision_of(response: PermissionResponse, digest: str) -> Decision:
    """Give the decision that a worker takes from its leader's answer about the content of `digest`.

    The reason is always worker-proxy; `leader_reason` is what came.
    """
    if problem := _problem(response, digest):
        message = f"This call was not run: {problem}. Nobody declined it; ask again if it is still needed."
        return Decision(Behavior.DENY, Reason.WORKER_PROXY, message, leader_reason=response.reason)
    allowed = response.behavior == "allow"
    return Decision(
        Behavior.ALLOW if allowed else Behavior.DENY,
        Reason.WORKER_PROXY,
        response.message,
        response.rule,
        response.updated_input if allowed else None,
        response.reason,
    )


def _problem(response: PermissionResponse, digest: str) -> str:
    """Say what makes an answer unusable, or nothing."""
    if response.digest != digest:
        return "the answer that came is about other content than what was asked"
    expected = _BEHAVIORS.get(response.reason)
    if expected is None:
        return f"the answer that came has a reason that is not known, {response.reason[:40]!a}"
    if expected != response.behavior:
        behavior, reason = str(response.behavior)[:40], response.reason
        return f"the answer that came contradicts itself, {behavior!a} by reason of {reason}"
    return ""
