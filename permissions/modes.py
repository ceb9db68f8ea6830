"""What the mode makes of a judgement. Pure."""

from dataclasses import replace

from swarm.permissions.examine import Finding, examine
from swarm.permissions.files import FileView
from swarm.permissions.judgement import Cause, Judgement
from swarm.permissions.model import Behavior, Mode, Request, Verdict
from swarm.permissions.policy import Policy
from swarm.permissions.tools import Effect, kind_of

EDITS_IN_PLACE = "The mode acceptEdits allows edits inside the working directories."
READS_IN_PLACE = "The mode plan allows reads inside the working directories."


def settle(found: Judgement, request: Request, policy: Policy, files: FileView) -> Verdict:
    """The verdict: what was found, as the mode takes it."""
    if found.behavior is Behavior.DENY:
        return _verdict(found)
    match policy.mode:
        case Mode.DEFAULT:
            return _verdict(found)
        case Mode.ACCEPT_EDITS:
            edits = kind_of(request.tool).effect is Effect.EDIT
            if found.cause is Cause.NO_RULE and found.inside and edits:
                return Verdict(Behavior.ALLOW, EDITS_IN_PLACE, parts=found.parts)
            return _verdict(found)
        case Mode.BYPASS:
            if found.cause is Cause.NO_RULE:
                return Verdict(Behavior.ALLOW, "The mode bypassPermissions allows it.", parts=found.parts)
            return _verdict(found)
        case Mode.DONT_ASK:
            if found.behavior is Behavior.ASK:
                return _denied(found, f"{found.why} The mode dontAsk denies what would be asked.")
            return _verdict(found)
        case Mode.PLAN:
            return _planned(found, request, policy, files)


def _verdict(found: Judgement) -> Verdict:
    return Verdict(found.behavior, found.why, found.rule, found.parts, found.cause is Cause.GUARD)


def _denied(found: Judgement, why: str) -> Verdict:
    return _verdict(replace(found, behavior=Behavior.DENY, why=why))


def _planned(found: Judgement, request: Request, policy: Policy, files: FileView) -> Verdict:
    effect = kind_of(request.tool).effect
    if found.cause is Cause.GUARD:
        return _denied(found, f"{found.why} The mode plan denies it.")
    if effect in (Effect.FETCH, Effect.SEARCH):
        return _verdict(found)
    reads = Finding.SAFE if effect is Effect.READ else Finding.OTHER
    if effect is Effect.COMMAND:
        reads = examine(request, policy, files).finding
    if reads is Finding.OTHER:
        return _denied(
            found, f"The mode plan allows only reads, and this call of {request.tool} may do more."
        )
    inside = found.inside if effect is Effect.READ else reads is Finding.SAFE
    if found.cause is Cause.NO_RULE and inside:
        return Verdict(Behavior.ALLOW, READS_IN_PLACE, parts=found.parts)
    return _verdict(found)
