"""All that another leader of the same session left, as far as a leader needs it to go on. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from swarm.leader.core.restoring import LeftRequest
from swarm.leader.core.resumption import LeftWorker
from swarm.leader.session.entries import CallDecided, RuleGranted, SessionStarted


@dataclass(frozen=True, slots=True)
class Left:
    """What a journal tells of a session that has not ended. Times are in seconds of the epoch.

    `workers` and `requests` are by the journal's last word, `requests` those without an end in the order
    of asking. `answered` are calls that rules decided whose worker may not have the answer. `grants` are
    in force, each with its time. The counts are how many requests and grants there were in all.
    """

    started: SessionStarted
    started_at: float
    workers: Mapping[str, LeftWorker] = field(default_factory=dict)
    requests: tuple[LeftRequest, ...] = ()
    answered: tuple[CallDecided, ...] = ()
    grants: tuple[tuple[RuleGranted, float], ...] = ()
    request_count: int = 0
    grant_count: int = 0
