"""Turns what the core knows of requests and decisions into journal entries. Pure."""

from swarm.ipc.messages import PermissionRequest
from swarm.leader.core.requests import PendingRequest
from swarm.leader.core.views import RequestView
from swarm.leader.session.entries import CallDecided, RequestAsked, RequestDecided, RuleGranted
from swarm.permissions.model import Decision, Layer, RuleText, Verdict


def asked_entry(request: PendingRequest) -> RequestAsked:
    """Give the entry of a request that waits for a decision."""
    view = request.view
    return RequestAsked(
        request_id=view.id,
        wire_id=request.wire_id,
        worker=view.worker,
        tool=view.tool,
        input=dict(view.input),
        cwd=view.cwd,
        preview=view.preview,
        digest=view.digest,
        why=view.why,
        agent=view.agent,
        call_id=request.call_id,
    )


def decided_entry(view: RequestView, decision: Decision, by: str, version: str) -> RequestDecided:
    """Give the entry of a decision about a request that was asked; `version` is that of the rules."""
    updated = decision.updated_input
    return RequestDecided(
        request_id=view.id,
        worker=view.worker,
        digest=view.digest,
        behavior=decision.behavior,
        reason=decision.reason,
        message=decision.message,
        rule=decision.rule,
        updated_input=None if updated is None else dict(updated),
        by=by,
        policy_version=version,
    )


def call_entry(
    worker: str,
    message: PermissionRequest,
    digest: str,
    verdict: Verdict,
    decision: Decision,
    version: str,
) -> CallDecided:
    """Give the entry of a call that rules decided without asking anybody."""
    rule = verdict.rule
    return CallDecided(
        wire_id=message.id,
        worker=worker,
        tool=message.tool,
        input=message.input,
        cwd=message.cwd,
        preview=message.preview,
        digest=digest,
        behavior=decision.behavior,
        reason=decision.reason,
        agent=message.agent,
        call_id=message.call_id,
        why=verdict.why,
        message=decision.message,
        rule=f"{rule.text} ({rule.source})" if rule else "",
        by="rules",
        policy_version=version,
    )


def granted_entry(rule: RuleText, layer: Layer, view: RequestView) -> RuleGranted:
    """Give the entry of a rule that the answer to a request wrote."""
    return RuleGranted(
        rule=rule.text,
        layer=layer,
        file=rule.source.file,
        worker=view.worker,
        behavior=rule.behavior,
        request_id=view.id,
    )
