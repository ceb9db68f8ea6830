"""Everything that a session's journal can hold. Plain values only.

What an entry is called and what its fields are called is kept for good: old journals are read by
newer programs. A new field has a default.
"""

from typing import Any, Literal

import msgspec

from swarm.ipc.messages import EventPart, Preview, snake_case
from swarm.leader.core.views import WorkerPhase
from swarm.permissions.model import Behavior, Layer, Mode, Reason

FORMAT = 1
"""Grows when an older program would misread a journal; such a one then refuses it."""


class JournalEntry(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag=snake_case):
    """What all entries have in common: their `type`."""


class SessionStarted(JournalEntry, frozen=True, kw_only=True):
    """A leader has begun to lead; `program` is its name and version."""

    session_id: str
    name: str
    plan_file: str
    pid: int
    program: str
    mode: Mode = Mode.DEFAULT
    on_ask: Literal["wait", "deny", "fail"] = "wait"
    person: bool = True
    mode_given: bool = False  # `mode` replaces the plan's and that of each worker
    format: int = FORMAT  # of the journal; one without it has format 1


class WorkerChanged(JournalEntry, frozen=True, kw_only=True):
    """A worker has entered a phase of its life; `attempt` counts from 1, 0 means not started yet."""

    worker: str
    phase: WorkerPhase
    attempt: int = 0
    pid: int | None = None
    detail: str = ""
    process_started: float | None = None  # seconds of the epoch; ties `pid` to one process


class WorkerFinished(JournalEntry, frozen=True, kw_only=True):
    """A worker sent its result. `refused` are the wire ids of the refused requests that stopped it."""

    worker: str
    attempt: int
    status: Literal["succeeded", "failed", "cancelled"]
    text: str = ""
    refused: tuple[str, ...] = ()


class SessionResumed(JournalEntry, frozen=True, kw_only=True):
    """Another leader goes on with the session; `adopted` are the workers that were found alive."""

    pid: int
    program: str
    adopted: tuple[str, ...] = ()
    restarted: tuple[str, ...] = ()


class RequestAsked(JournalEntry, frozen=True, kw_only=True):
    """A tool call waits for a decision; `request_id` is the short id (`r7`), `wire_id` the worker's."""

    request_id: str
    wire_id: str
    worker: str
    tool: str
    input: dict[str, Any]
    cwd: str
    preview: Preview
    digest: str
    why: str
    agent: tuple[str, ...] = ()
    call_id: str = ""
    rule: str = ""  # the one that asks, if one does
    rule_source: str = ""  # file, line and column of the rule, or its layer
    policy_version: str = ""
    interrupted: bool = False  # the call had begun before, and its end is not known


class RequestDecided(JournalEntry, frozen=True, kw_only=True):
    """A request was decided; `by` says who did, `policy_version` under which rules, `why` the reason."""

    request_id: str
    worker: str
    digest: str
    behavior: Behavior
    reason: Reason
    message: str = ""
    rule: str = ""
    updated_input: dict[str, Any] | None = None
    by: str = ""
    policy_version: str = ""
    rule_source: str = ""
    why: str = ""


class CallDecided(JournalEntry, frozen=True, kw_only=True):
    """Rules decided a tool call, so nobody was asked."""

    wire_id: str
    worker: str
    tool: str
    input: dict[str, Any]
    cwd: str
    preview: Preview
    digest: str
    behavior: Behavior
    reason: Reason
    agent: tuple[str, ...] = ()
    call_id: str = ""
    why: str = ""
    message: str = ""
    rule: str = ""
    updated_input: dict[str, Any] | None = None
    by: str = ""
    policy_version: str = ""
    rule_source: str = ""  # in old journals it stands behind the rule, in brackets
    unasked: bool = False  # the rules would have asked, but nobody was there

    @property
    def placed_rule(self) -> str:
        """The rule with its place in brackets, as old journals hold it."""
        return f"{self.rule} ({self.rule_source})" if self.rule_source else self.rule


EndState = Literal["delivered", "acted", "withdrawn", "expired", "orphaned"]


class RequestEnded(JournalEntry, frozen=True, kw_only=True):
    """A request went on after its decision (delivered, acted) or ended without one."""

    request_id: str
    state: EndState
    detail: str = ""


class Happened(JournalEntry, frozen=True, kw_only=True):
    """Something happened in a worker that the person may see."""

    worker: str
    event: EventPart


class Noticed(JournalEntry, frozen=True, kw_only=True):
    """A line of the leader's own; `worker` is empty if it is about the whole team."""

    level: Literal["info", "warning", "error"]
    text: str
    worker: str = ""


class ModeChanged(JournalEntry, frozen=True, kw_only=True):
    """The permission mode is another now; `worker` is empty if it is that of the whole team."""

    mode: Mode
    worker: str = ""
    by: str = ""


class RuleGranted(JournalEntry, frozen=True, kw_only=True):
    """An answer wrote a rule; `file` is empty for a rule that lasts as long as the session."""

    rule: str
    layer: Layer
    file: str = ""
    worker: str = ""
    behavior: Behavior = Behavior.ALLOW
    request_id: str = ""
    number: int = 0  # counts the session's grants from 1; 0 in old journals
    by: str = ""
    rule_source: str = ""
    expires: float | None = None  # seconds of the epoch
    uses: int | None = None


class RuleRevoked(JournalEntry, frozen=True, kw_only=True):
    """A granted rule was taken back; `file` is where it was removed from, if it stood in one."""

    number: int
    rule: str
    layer: Layer
    file: str = ""
    by: str = ""


class RuleExpired(JournalEntry, frozen=True, kw_only=True):
    """A granted rule has ended by itself; `how` is `expired` or `used up`."""

    number: int
    rule: str
    layer: Layer
    how: str = ""


class ClassifierHeard(JournalEntry, frozen=True, kw_only=True):
    """What a classifier of the person's own held of a request, or how a classifier failed."""

    request_id: str
    worker: str
    safe: bool
    why: str
    failed: bool = False


class SessionEnded(JournalEntry, frozen=True, kw_only=True):
    """All is over; `exit_code` is what the program ends with."""

    exit_code: int
    summary: str = ""


AnyEntry = (
    SessionStarted
    | WorkerChanged
    | WorkerFinished
    | SessionResumed
    | RequestAsked
    | RequestDecided
    | CallDecided
    | RequestEnded
    | Happened
    | Noticed
    | ModeChanged
    | RuleGranted
    | RuleRevoked
    | RuleExpired
    | ClassifierHeard
    | SessionEnded
)
