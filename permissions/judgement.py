"""What rules and guards found, before the mode has its say. Values only."""

from dataclasses import dataclass, field
from enum import StrEnum

from swarm.permissions.model import Behavior, PartVerdict, RuleText


class Cause(StrEnum):
    """Why a judgement came out as it did; the mode may lift only NO_RULE."""

    RULE = "rule"
    GUARD = "guard"
    UNKNOWN = "unknown"
    NO_RULE = "no rule"


@dataclass(frozen=True, slots=True)
class Judgement:
    """An outcome with its cause. `inside` says that all it touches lies in the working directories."""

    behavior: Behavior
    cause: Cause
    why: str
    rule: RuleText | None = None
    parts: tuple[PartVerdict, ...] = field(default=())
    inside: bool = False


VERBS = {Behavior.ALLOW: "allows", Behavior.ASK: "asks about", Behavior.DENY: "denies"}


def ruled(rule: RuleText, what: str, inside: bool = False) -> Judgement:
    """What a rule said of something."""
    why = f"The rule {rule.text} ({rule.source}) {VERBS[rule.behavior]} {what}."
    return Judgement(rule.behavior, Cause.RULE, why, rule, inside=inside)


def guarded(why: str) -> Judgement:
    """What a guard said; no allow rule lifts it."""
    return Judgement(Behavior.ASK, Cause.GUARD, why)


def unknown(why: str) -> Judgement:
    """Something cannot be known, so no allow rule is enough."""
    return Judgement(Behavior.ASK, Cause.UNKNOWN, why)


def uncovered(why: str, inside: bool = False) -> Judgement:
    """No rule decided."""
    return Judgement(Behavior.ASK, Cause.NO_RULE, why, inside=inside)
