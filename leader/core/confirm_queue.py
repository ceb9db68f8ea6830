"""The requests that wait for a person, each from being asked to its one end.

Nothing is shown before it is on disk, and no decision is told before it is.
"""

from collections import OrderedDict
from collections.abc import Callable

import anyio

from swarm.leader import registry
from swarm.leader.core.asking import Surroundings
from swarm.leader.core.entries import asked_entry, decided_entry
from swarm.leader.core.requests import OPEN, PendingRequest, RequestState
from swarm.leader.core.views import RequestView
from swarm.leader.errors import AlreadyDecided, JournalError, UnknownRequest
from swarm.leader.session.entries import EndState, RequestEnded
from swarm.permissions.model import Behavior, Decision, Reason, Verdict
from swarm.permissions.speculation import Classifier, may_speculate, race
from swarm.permissions.wire import response_message

_ENDS: dict[RequestState, EndState] = {
    RequestState.DELIVERED: "delivered",
    RequestState.ACTED: "acted",
    RequestState.WITHDRAWN: "withdrawn",
    RequestState.EXPIRED: "expired",
    RequestState.ORPHANED: "orphaned",
}

_WHO = {
    "person": "a person",
    "rules": "the rules",
    "classifier": "the classifier",
    "leader": "the leader, which cannot write its journal",
}
ENDINGS_LIMIT = 1_000
"""Of how many ended requests it is remembered how they ended."""


class _Settled(Exception):
    """The request has ended otherwise, so the person's side of the race is over."""


class ConfirmQueue:
    """All requests that no rule decided, by their short ids. The only place that changes their state."""

    def __init__(self, around: Surroundings) -> None:
        self._around = around
        self._requests: dict[str, PendingRequest] = {}
        self._endings: OrderedDict[str, str] = OrderedDict()
        self._count = 0

    def __repr__(self) -> str:
        return f"<ConfirmQueue asked={self._count} kept={len(self._requests)}>"

    @property
    def shown(self) -> tuple[RequestView, ...]:
        """The requests that a person can decide about, oldest first."""
        kept = self._requests.values()
        return tuple(request.view for request in kept if request.state is RequestState.SHOWN)

    @property
    def open(self) -> list[PendingRequest]:
        """The requests for which an answer still counts, shown or not yet."""
        return [request for request in self._requests.values() if request.state in OPEN]

    @property
    def endings(self) -> dict[str, str]:
        """How the last requests ended, in words, by their ids."""
        return dict(self._endings)

    def next_id(self) -> str:
        """Give the short id of the next request."""
        self._count += 1
        return f"r{self._count}"

    def find(self, request_id: str) -> PendingRequest:
        """Give a request that is open. Raises UnknownRequest or AlreadyDecided."""
        request = self._requests.get(request_id)
        if request is not None and request.state in OPEN:
            return request
        how = self._endings.get(request_id) or (str(request.state) if request else "")
        if how:
            raise AlreadyDecided(request_id, how)
        raise UnknownRequest(request_id)

    def find_wire(self, worker: str, wire_id: str) -> PendingRequest | None:
        """Give the kept request that `worker` knows by `wire_id`."""
        kept = self._requests.values()
        matching = (r for r in kept if r.wire_id == wire_id and r.view.worker == worker)
        return next(matching, None)

    def find_call(self, worker: str, call_id: str) -> PendingRequest | None:
        """Give the kept request about a tool call of `worker`."""
        kept = self._requests.values()
        matching = (r for r in kept if r.call_id == call_id and r.view.worker == worker)
        return next(matching, None)

    def of_worker(self, worker: str) -> list[PendingRequest]:
        """Give all kept requests of a worker."""
        return [request for request in self._requests.values() if request.view.worker == worker]

    def add(self, request: PendingRequest, verdict: Verdict) -> None:
        """Take a request, write it, and from then on see to it. Raises JournalError."""
        self._around.journal.append(asked_entry(request))
        self._requests[request.view.id] = request
        self._around.tasks.start_soon(self._settle, request, verdict)

    async def conclude(
        self,
        request: PendingRequest,
        decision: Decision,
        by: str,
        before: Callable[[], None] | None = None,
    ) -> None:
        """Do what goes `before`, write the decision, then tell it. What cannot be written is undone.

        Raises AlreadyDecided, JournalError, or what `before` raises; then the request waits as before.
        """
        earlier = request.state
        if not request.move(RequestState.DECIDED):
            raise AlreadyDecided(request.view.id, str(request.state))
        try:
            with anyio.CancelScope(shield=True):
                if before is not None:
                    before()
                version = self._around.judge.version(request.view.worker)
                self._around.journal.append(decided_entry(request.view, decision, by, version))
                await self._around.journal.commit()
        except Exception:
            self._show_again(request, earlier)
            raise
        self._deliver(request, decision, by)

    def _show_again(self, request: PendingRequest, earlier: RequestState) -> None:
        """Undo a decision that was not written; one that was never shown is shown now."""
        if request.move(RequestState.SHOWN) and earlier is RequestState.ASKED:
            self._publish(lambda queue: (*queue, request.view))

    async def conclude_quietly(self, request: PendingRequest, decision: Decision, by: str) -> None:
        """Conclude where nobody waits to hear that another was first."""
        try:
            await self.conclude(request, decision, by)
        except AlreadyDecided:
            return
        except JournalError as error:
            self._around.notice(str(error))

    def end(self, request: PendingRequest, state: RequestState, detail: str) -> None:
        """End a request without a decision, or after it; nothing happens if the table forbids it."""
        if not request.move(state):
            return
        if request.decision is None:
            self._keep_ending(request, f"{state}: {detail}")
        self._leave(request, detail)

    async def _settle(self, request: PendingRequest, verdict: Verdict) -> None:
        """See one request from being written to its decision."""
        try:
            await self._around.journal.commit()
        except JournalError as error:
            self._around.notice(str(error))
            self._refuse_unwritten(request, error)
            return
        classifier_of = self._around.classifier_of
        if classifier_of is None or not may_speculate(verdict):
            self._show(request)
        else:
            await self._speculate(request, classifier_of(request.view.worker))

    async def _speculate(self, request: PendingRequest, classifier: Classifier) -> None:
        """Let the classifier race the person, who answers through `conclude`.

        What the classifier settles at once is never shown: `race` then does not call the person.
        """

        async def person() -> Decision:
            self._show(request)
            await request.answered.wait()
            raise _Settled

        try:
            decision = await race(request.request, classifier, person)
        except _Settled:
            return
        await self.conclude_quietly(request, decision, "classifier")

    def _show(self, request: PendingRequest) -> None:
        if request.move(RequestState.SHOWN):
            self._publish(lambda queue: (*queue, request.view))

    def _deliver(self, request: PendingRequest, decision: Decision, by: str) -> None:
        if not request.move(RequestState.DELIVERED):
            return  # the worker went meanwhile
        request.decision = decision
        self._keep_ending(request, f"{'allowed' if decision.allowed else 'denied'} by {_WHO[by]}")
        request.respond(response_message(request.wire_id, request.view.digest, decision))
        self._leave(request, decision.reason)

    def _refuse_unwritten(self, request: PendingRequest, error: JournalError) -> None:
        message = f"This call was not run: the leader cannot write its journal ({error.problem})."
        if request.move(RequestState.DECIDED):
            decision = Decision(Behavior.DENY, Reason.SETTINGS_DENY, message)
            self._deliver(request, decision, "leader")

    def _leave(self, request: PendingRequest, detail: str) -> None:
        view = request.view
        entry = RequestEnded(request_id=view.id, state=_ENDS[request.state], detail=detail)
        try:
            self._around.journal.append(entry)
        except JournalError as error:
            self._around.notice(str(error))
        if request.state is not RequestState.DELIVERED:
            del self._requests[view.id]
        request.answered.set()
        self._publish(lambda queue: tuple(shown for shown in queue if shown.id != view.id))

    def _keep_ending(self, request: PendingRequest, how: str) -> None:
        self._endings[request.view.id] = how
        if len(self._endings) > ENDINGS_LIMIT:
            self._endings.popitem(last=False)

    def _publish(self, updater: registry.QueueUpdater) -> None:
        setter = registry.get_confirm_queue()
        if setter is not None:
            setter(updater)
        self._around.changed()
