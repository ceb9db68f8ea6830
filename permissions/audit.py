"""What is kept of a decision, so that it can be shown and proven later. Builds records; writes nothing.

A record holds the request exactly as it was shown, unredacted: it belongs in the private journal only.
What goes to a log or out of the session is `exported`, which redacts every text but keeps the digest of
the original, so that the two can be matched.
"""

from typing import Any, Final

import msgspec

from swarm.ipc.messages import PermissionRequest, Preview
from swarm.permissions.model import Behavior, Decision, Reason, Verdict
from swarm.permissions.redaction import redact

GIVERS: Final = {
    Reason.SETTINGS_ALLOW: "rules",
    Reason.SETTINGS_DENY: "rules",
    Reason.COORDINATOR_ALLOW: "coordinator",
    Reason.COORDINATOR_DENY: "coordinator",
    Reason.SPECULATIVE_ALLOW: "classifier",
    Reason.INTERACTIVE_ALLOW_ONCE: "person",
    Reason.INTERACTIVE_ALLOW_ALWAYS: "person",
    Reason.INTERACTIVE_DENY: "person",
    Reason.WORKER_PROXY: "leader",
}
"""Who or what gives a decision of each reason."""


class AuditRecord(msgspec.Struct, frozen=True, kw_only=True):
    """One decision. `at` is in seconds of the epoch, `digest` that of tool, input, cwd and preview.

    `by` says who or what decided, `why` is the sentence of the rules; `rule_source` is file, line and
    column of the rule, or its layer; `updated_input` is what ran instead, if it was changed.
    """

    at: float
    worker: str
    agent: tuple[str, ...]
    request_id: str
    call_id: str
    tool: str
    input: dict[str, Any]
    cwd: str
    preview: Preview
    digest: str
    behavior: Behavior
    reason: Reason
    leader_reason: str
    by: str
    why: str
    message: str
    rule: str
    rule_source: str
    policy_version: str
    updated_input: dict[str, Any] | None


def audit_record(
    request: PermissionRequest,
    digest: str,
    decision: Decision,
    verdict: Verdict | None,
    *,
    worker: str,
    at: float,
    policy_version: str,
    by: str = "",
) -> AuditRecord:
    """Give the record of a decision about a request; `by` names a person, else the reason says who."""
    rule = verdict.rule if verdict else None
    updated = decision.updated_input
    return AuditRecord(
        at=at,
        worker=worker,
        agent=request.agent,
        request_id=request.id,
        call_id=request.call_id,
        tool=request.tool,
        input=request.input,
        cwd=request.cwd,
        preview=request.preview,
        digest=digest,
        behavior=decision.behavior,
        reason=decision.reason,
        leader_reason=decision.leader_reason,
        by=by or GIVERS[decision.reason],
        why=verdict.why if verdict else "",
        message=decision.message,
        rule=decision.rule or (rule.text if rule else ""),
        rule_source=str(rule.source) if rule else "",
        policy_version=policy_version,
        updated_input=None if updated is None else dict(updated),
    )


def exported(record: AuditRecord) -> dict[str, Any]:
    """Give a record as it may leave the session: every text redacted, ids and digests as they are."""
    kept = {name: getattr(record, name) for name in ("digest", "policy_version", "request_id", "call_id")}
    redacted: dict[str, Any] = redact(msgspec.to_builtins(record))
    return redacted | kept
