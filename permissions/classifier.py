"""The static classifier: says "safe" of what obviously only reads, and of nothing else. Runs nothing."""

from dataclasses import dataclass
from enum import StrEnum

from swarm.permissions.files import FileView
from swarm.permissions.model import Request
from swarm.permissions.policy import Policy


class Finding(StrEnum):
    """SAFE: only reads, inside, nothing secret. ELSEWHERE: only reads, but not there. OTHER: may do more."""

    SAFE = "safe"
    ELSEWHERE = "elsewhere"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Examination:
    """What a look at a request showed."""

    finding: Finding
    why: str


@dataclass(frozen=True, slots=True)
class Classification:
    """Whether a request that no rule decided may run without asking, and the reason."""

    safe: bool
    why: str


def examine(request: Request, policy: Policy, files: FileView) -> Examination:
    """Look at what a request does, whatever rules say."""
    return Examination(Finding.OTHER, f"Nothing is known of what {request.tool} does.")


def classify(request: Request, policy: Policy, files: FileView) -> Classification:
    """Say whether a request is safe; anything else is unsure, never worse. Never raises."""
    seen = examine(request, policy, files)
    return Classification(seen.finding is Finding.SAFE, seen.why)
