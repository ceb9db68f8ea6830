"""The static classifier: says "safe" of what obviously only reads, and of nothing else. Runs nothing."""

from dataclasses import dataclass

from swarm.permissions.engine import judge
from swarm.permissions.examine import Finding, examine
from swarm.permissions.files import FileView
from swarm.permissions.judgement import Cause
from swarm.permissions.model import Behavior, Mode, Request
from swarm.permissions.policy import Policy

MODES = frozenset({Mode.DEFAULT, Mode.ACCEPT_EDITS})


@dataclass(frozen=True, slots=True)
class Classification:
    """Whether a request that no rule decided may run without asking, and the reason."""

    safe: bool
    why: str


def is_open(request: Request, policy: Policy, files: FileView) -> bool:
    """Whether only the lack of a rule asks, in a mode in which classifiers are heard. Never raises."""
    try:
        found = judge(request, policy, files)
        return policy.mode in MODES and found.behavior is Behavior.ASK and found.cause is Cause.NO_RULE
    except Exception:  # what cannot be looked at is for the person
        return False


def classify(request: Request, policy: Policy, files: FileView) -> Classification:
    """Say whether a request is safe; anything else is unsure, never worse. Never raises."""
    try:
        if policy.mode not in MODES:
            return Classification(False, f"In the mode {policy.mode} nothing is classified.")
        found = judge(request, policy, files)
        if found.behavior is not Behavior.ASK or found.cause is not Cause.NO_RULE:
            return Classification(False, f"It is decided already: {found.why}")
        seen = examine(request, policy, files)
    except Exception as error:  # what cannot be looked at is not safe
        return Classification(False, f"It could not be looked at ({type(error).__name__}).")
    return Classification(seen.finding is Finding.SAFE, seen.why)
