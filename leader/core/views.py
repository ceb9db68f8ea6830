"""What front ends are shown: immutable pictures of the team, its queue and its transcripts."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal

from swarm.ipc.messages import Preview
from swarm.permissions.model import Behavior, Layer, Offer, PartVerdict


class WorkerPhase(StrEnum):
    """Where a worker is in its life."""

    WAITING = "waiting"  # for the workers that it needs, or for a free place
    STARTING = "starting"  # its process is launched, its hello has not come
    RUNNING = "running"
    STOPPING = "stopping"
    BACKOFF = "backoff"  # crashed; it will be started again
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"
    DENIED = "denied"  # a call that it needed was not allowed
    SKIPPED = "skipped"  # a worker that it needs did not succeed

    @property
    def ended(self) -> bool:
        """Whether nothing more will come of this worker."""
        return self in _ENDED


_ENDED = frozenset(
    {
        WorkerPhase.SUCCEEDED,
        WorkerPhase.FAILED,
        WorkerPhase.CANCELLED,
        WorkerPhase.DENIED,
        WorkerPhase.SKIPPED,
    }
)


@dataclass(frozen=True, slots=True)
class WorkerView:
    """One worker as the overview shows it. `since` is when `phase` began, in seconds of the epoch.

    `activity` is one line, hostile until escaped: what it does now, or how it ended.
    """

    name: str
    kind: str
    color: str  # "#rrggbb"
    phase: WorkerPhase
    since: float
    activity: str = ""
    pid: int | None = None
    attempt: int = 0
    needs: tuple[str, ...] = ()
    waiting_requests: int = 0
    oldest_request: float | None = None
    cost: float = 0.0
    tokens: int = 0
    result: str = ""
    paused: bool = False


@dataclass(frozen=True, slots=True)
class RequestView:
    """One request in the queue. All text in `input`, `preview`, `agent` is hostile until escaped.

    `id` is short and unique in the session (`r12`); `digest` must come back with the answer. `why` says
    why it asks, `parts` which parts of a compound command do. `offers` are the rules "always" can write.
    """

    id: str
    worker: str
    color: str
    agent: tuple[str, ...]
    tool: str
    input: Mapping[str, Any]
    cwd: str
    preview: Preview
    digest: str
    asked_at: float  # seconds of the epoch
    why: str
    parts: tuple[PartVerdict, ...] = ()
    offers: tuple[Offer, ...] = ()

    @property
    def badge(self) -> str:
        """The path of who asks: `worker` or `worker/sub-agent`."""
        return "/".join((self.worker, *self.agent))


Verb = Literal["allow_once", "allow_always", "deny"]


@dataclass(frozen=True, slots=True)
class AnswerToRequest:
    """What a person decided about one request, tied by `digest` to what they saw.

    `offers` are those chosen of the request's for `allow_always`, each to be written to `layer`.
    `message` goes to the agent. `updated_input` replaces the input. `minutes` and `uses` end the rules by
    themselves, after that time and after they allowed so many further calls; only for the layers
    `session` and `worker`.
    """

    request_id: str
    digest: str
    verb: Verb
    message: str = ""
    offers: tuple[Offer, ...] = ()
    layer: Layer = Layer.LOCAL
    updated_input: Mapping[str, Any] | None = None
    minutes: float | None = None
    uses: int | None = None


@dataclass(frozen=True, slots=True)
class OfferPreview:
    """What one offered rule alone, added to those in force, would have let through without a question.

    `matched` counts this session's past calls, of which `denied` were denied by a person or for want
    of one; `pending` are the ids of the other requests that wait. `looked_at` says how many past
    calls are remembered.
    """

    matched: int
    denied: int
    pending: tuple[str, ...]
    looked_at: int

    @property
    def sentence(self) -> str:
        """The same for people."""
        many = f"{self.looked_at} calls" if self.looked_at > 1 else "call"
        calls = f"{self.matched or 'none'} of the last {many}" if self.looked_at else "no call so far"
        denied = f" ({self.denied} of them denied)" if self.denied else ""
        shown = ", ".join(self.pending[:5]) + (" …" if len(self.pending) > 5 else "")
        return f"alone it would let through {calls}{denied}" + (f", and now {shown}" if shown else "")


@dataclass(frozen=True, slots=True)
class GrantView:
    """One rule that a person granted in this session. `at` and `expires` are in seconds of the epoch.

    `worker` is whom it is for, empty for all. `uses` is how many calls it may still allow. `file` is
    empty for a rule that ends with the session.
    """

    number: int
    rule: str
    behavior: Behavior
    layer: Layer
    worker: str
    by: str
    at: float
    expires: float | None = None
    uses: int | None = None
    file: str = ""


# The transcript of one worker


@dataclass(frozen=True, slots=True)
class TextEntry:
    """Text of the agent, or its thinking, still growing while it is the last entry."""

    text: str
    thinking: bool = False


@dataclass(frozen=True, slots=True)
class ToolEntry:
    """A tool call with the tail of its output. `outcome` is empty while it runs."""

    call_id: str
    tool: str
    title: str
    output: str = ""
    dropped: int = 0  # characters of output no longer kept before `output`
    outcome: Literal["", "succeeded", "failed", "denied", "interrupted"] = ""
    summary: str = ""
    seconds: float = 0.0
    agent: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NoticeEntry:
    """A line of the leader's own about the worker: started, crashed, garbage skipped, decided."""

    level: Literal["info", "warning", "error"]
    text: str
    at: float


Entry = TextEntry | ToolEntry | NoticeEntry


@dataclass(frozen=True, slots=True)
class Transcript:
    """The last entries of one worker. `first` is the number of the oldest kept one, counted from 0.

    Entries never change but for the open ones; `revision` grows with every change.
    """

    entries: tuple[Entry, ...] = ()
    first: int = 0
    revision: int = 0


@dataclass(frozen=True, slots=True)
class MissedCall:
    """A call that was needed and not allowed, with the smallest rules that would allow it."""

    worker: str
    tool: str
    title: str
    why: str
    allow: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TeamView:
    """The whole session at one moment. `exit_code` is None until the run is over.

    `ended` tells of the last requests that left the queue how they ended, in words, by their ids.
    """

    session_id: str
    name: str
    mode: str
    started_at: float
    workers: tuple[WorkerView, ...]
    queue: tuple[RequestView, ...] = ()
    notices: tuple[str, ...] = ()
    missed: tuple[MissedCall, ...] = field(default=())
    ended: Mapping[str, str] = field(default_factory=dict)
    stopping: bool = False
    exit_code: int | None = None
