"""Turns what the core knows of requests and decisions into journal entries. Pure."""

from dataclasses import dataclass

from swarm.ipc.messages import PermissionRequest
from swarm.leader.core.requests import PendingRequest
from swarm.leader.core.views import RequestView
from swarm.leader.granted import EndedGrant
from swarm.leader.session.entries import (
    CallDecided,
    RequestAsked,
    RequestDecided,
    RuleExpired,
    RuleGranted,
    RuleRevoked,
)
from swarm.permissions.grants import Grant
from swarm.permissions.model import Behavior, Decision, Verdict


@dataclass(frozen=True, slots=True)
class Grounds:
    """What a decision stands on beyond itself: where its rule stands, and the reason in words."""

    rule_source: str = ""
    why: str = ""


NO_GROUNDS = Grounds()


def grounds_of(verdict: Verdict) -> Grounds:
    """Give what a decision by rules stands on."""
    return Grounds(str(verdict.rule.source) if verdict.rule else "", verdict.why)


def asked_entry(request: PendingRequest, verdict: Verdict, version: str) -> RequestAsked:
    """Give the entry of a request that waits for a decision; `version` is that of the rules."""
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
        rule=verdict.rule.text if verdict.rule else "",
        rule_source=grounds_of(verdict).rule_source,
        policy_version=version,
        interrupted=request.interrupted,
    )


def decided_entry(
    view: RequestView, decision: Decision, by: str, version: str, grounds: Grounds = NO_GROUNDS
) -> RequestDecided:
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
        rule_source=grounds.rule_source,
        why=grounds.why,
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
        rule=rule.text if rule else "",
        by="rules",
        policy_version=version,
        rule_source=grounds_of(verdict).rule_source,
        unasked=verdict.behavior is Behavior.ASK,
    )


def granted_entry(grant: Grant, view: RequestView) -> RuleGranted:
    """Give the entry of a rule that the answer to a request wrote."""
    rule = grant.rule
    return RuleGranted(
        rule=rule.text,
        layer=rule.source.layer,
        file=rule.source.file,
        worker=view.worker,
        behavior=rule.behavior,
        request_id=view.id,
        number=grant.number,
        by=grant.by,
        rule_source=str(rule.source),
        expires=grant.expires,
        uses=grant.uses,
    )


def revoked_entry(grant: Grant, by: str) -> RuleRevoked:
    """Give the entry of a grant that was taken back."""
    source = grant.rule.source
    return RuleRevoked(
        number=grant.number, rule=grant.rule.text, layer=source.layer, file=source.file, by=by
    )


def expired_entry(ended: EndedGrant) -> RuleExpired:
    """Give the entry of a grant that has ended by itself."""
    rule = ended.grant.rule
    return RuleExpired(number=ended.grant.number, rule=rule.text, layer=rule.source.layer, how=ended.how)
