"""The life of one permission request as a table, and the record the leader keeps of it. Does no I/O."""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

import anyio
import msgspec

from swarm.ipc.messages import PermissionRequest, PermissionResponse
from swarm.leader.core.views import RequestView
from swarm.permissions.model import Decision, Request
from swarm.permissions.wire import response_message


class RequestState(StrEnum):
    """Where a request is between being asked and its one end."""

    ASKED = "asked"  # on its way to the disk; nobody has seen it
    SHOWN = "shown"  # on disk and in the queue
    DECIDED = "decided"  # no other answer counts; told once it is on disk, until the worker has it
    DELIVERED = "delivered"  # the worker has acknowledged the answer
    ACTED = "acted"  # the worker said how the call ended
    WITHDRAWN = "withdrawn"  # the worker no longer wants an answer
    EXPIRED = "expired"  # nobody answered in time
    ORPHANED = "orphaned"  # the worker died


# A request moves along this table and never back, but for one case: a decision that could not be
# written was never told to anybody, so the request is shown again. One whose decision is written is kept
# with it until the worker has it, so that it can be told again on another way.
TRANSITIONS: dict[RequestState, frozenset[RequestState]] = {
    RequestState.ASKED: frozenset(
        {RequestState.SHOWN, RequestState.DECIDED, RequestState.WITHDRAWN, RequestState.ORPHANED}
    ),
    RequestState.SHOWN: frozenset(
        {RequestState.DECIDED, RequestState.WITHDRAWN, RequestState.EXPIRED, RequestState.ORPHANED}
    ),
    RequestState.DECIDED: frozenset(
        {RequestState.DELIVERED, RequestState.SHOWN, RequestState.WITHDRAWN, RequestState.ORPHANED}
    ),
    RequestState.DELIVERED: frozenset({RequestState.ACTED, RequestState.ORPHANED}),
    RequestState.ACTED: frozenset(),
    RequestState.WITHDRAWN: frozenset(),
    RequestState.EXPIRED: frozenset(),
    RequestState.ORPHANED: frozenset(),
}

ENTRIES: dict[RequestState, str] = {
    RequestState.ASKED: "request_asked",
    RequestState.SHOWN: "",
    RequestState.DECIDED: "request_decided",
    RequestState.DELIVERED: "request_ended",
    RequestState.ACTED: "request_ended",
    RequestState.WITHDRAWN: "request_ended",
    RequestState.EXPIRED: "request_ended",
    RequestState.ORPHANED: "request_ended",
}
"""The journal's entry that says a request has entered a state; none is written for what is only shown."""

OPEN = frozenset({RequestState.ASKED, RequestState.SHOWN})
"""The states in which an answer still counts."""


@dataclass(slots=True)
class PendingRequest:
    """One request from being asked to its end. `wire_id` and `call_id` are the worker's names for it.

    `shown` are the same request for other paths that it names, for which the rules have to hold as well.
    `respond` sends the answer to the worker that asked. `size` is about what it
    costs to keep and to show, in bytes. `answered` is set when `decision` is there or
    when the request has ended without one. `interrupted` says that the call had begun before.
    """

    wire_id: str
    call_id: str
    request: Request
    view: RequestView
    respond: Callable[[PermissionResponse], None]
    size: int = 0
    shown: tuple[Request, ...] = ()
    state: RequestState = RequestState.ASKED
    decision: Decision | None = None
    interrupted: bool = False
    answered: anyio.Event = field(default_factory=anyio.Event)

    @property
    def is_told(self) -> bool:
        """Whether its decision is on disk, so that the worker may have it."""
        return self.decision is not None

    @property
    def response(self) -> PermissionResponse | None:
        """The answer as it goes to the worker, once there is one."""
        if self.decision is None:
            return None
        return response_message(self.wire_id, self.view.digest, self.decision)

    def move(self, to: RequestState) -> bool:
        """Enter state `to` if the table permits it; give whether it did."""
        if to not in TRANSITIONS[self.state]:
            return False
        self.state = to
        return True


def size_of(message: PermissionRequest) -> int:
    """Give about how many bytes a request takes."""
    return len(msgspec.json.encode((message.input, message.preview, message.agent)))
