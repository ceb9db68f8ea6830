"""The requests that wait for a person, each from being asked to its one end.

Nothing is shown before it is on disk, and no decision is told before it is.
"""

from collections import OrderedDict
from collections.abc import Callable

import anyio

from swarm.leader import registry
from swarm.leader.core.answered import AnsweredCalls
from swarm.leader.core.asking import Surroundings
from swarm.leader.core.entries import NO_GROUNDS, Grounds, asked_entry, decided_entry
from swarm.leader.core.requests import OPEN, PendingRequest, RequestState
from swarm.leader.core.views import RequestView
from swarm.leader.errors import AlreadyDecided, GrantSpent, JournalError, UnknownRequest
from swarm.leader.session.entries import ClassifierHeard, EndState, RequestEnded
from swarm.permissions.model import Behavior, Decision, Reason, Verdict
from swarm.permissions.speculation import Classifier, Opinion, may_speculate, race

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

FAILURES_TOLD = 8
"""How many kinds of a classifier's failure are told to the person; all are in the journal."""


class _Settled(Exception):
    """The request has ended otherwise, so the person's side of the race is over."""


class ConfirmQueue:
    """All requests that no rule decided, by their short ids. The only place that changes their state."""

    def __init__(self, around: Surroundings) -> None:
        self._around = around
        self._requests: dict[str, PendingRequest] = {}
        self._by_wire: dict[tuple[str, str], PendingRequest] = {}
        self._endings: OrderedDict[str, str] = OrderedDict()
        self._count = 0
        self._failures: set[str] = set()
        self.answered = AnsweredCalls()

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
        return self._by_wire.get((worker, wire_id))

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
        version = self._around.judge.version(request.view.worker)
        self._around.journal.append(asked_entry(request, verdict, version))
        self._requests[request.view.id] = self._by_wire[request.view.worker, request.wire_id] = request
        self._around.tasks.start_soon(self._settle, request, verdict)

    async def conclude(
        self,
        request: PendingRequest,
        decision: Decision,
        by: str,
        before: Callable[[], Grounds] = lambda: NO_GROUNDS,
    ) -> None:
        """Do what goes `before`, write the decision, then tell it. What cannot be written is undone.

        Raises AlreadyDecided, JournalError, or what `before` raises; then the request waits as before.
        """
        earlier = request.state
        if not request.move(RequestState.DECIDED):
            raise AlreadyDecided(request.view.id, str(request.state))
        try:
            with anyio.CancelScope(shield=True):
                version = self._around.judge.version(request.view.worker)
                grounds = before()
                entry = decided_entry(request.view, decision, by, version, grounds)
                self._around.journal.append(entry)
                await self._around.journal.commit()
        except Exception:
            self._show_again(request, earlier)
            raise
        self._respond(request, decision, by)

    def _show_again(self, request: PendingRequest, earlier: RequestState) -> None:
        """Undo a decision that was not written; one that was never shown is shown now."""
        if request.move(RequestState.SHOWN) and earlier is RequestState.ASKED:
            self._publish(lambda queue: (*queue, request.view))

    async def conclude_quietly(
        self,
        request: PendingRequest,
        decision: Decision,
        by: str,
        before: Callable[[], Grounds] = lambda: NO_GROUNDS,
    ) -> None:
        """Conclude where nobody waits to hear that another was first."""
        try:
            await self.conclude(request, decision, by, before)
        except (AlreadyDecided, GrantSpent):
            return
        except JournalError as error:
            self._around.notice(str(error))

    def keep(self, request: PendingRequest, number: int, by: str) -> None:
        """Take a request that is in the journal already, and show it unless it was decided, `by` whom."""
        self._count = max(self._count, number)
        self._requests[request.view.id] = self._by_wire[request.view.worker, request.wire_id] = request
        if request.decision is not None:
            self._note_decision(request, request.decision, by)
        self._show(request)

    def count_from(self, number: int) -> None:
        """Give no id up to that of this number any more."""
        self._count = max(self._count, number)

    def took(self, request: PendingRequest) -> None:
        """Take note that the worker has the answer."""
        if request.is_told and request.move(RequestState.DELIVERED):
            assert request.decision is not None
            self._write_end(request, request.decision.reason)

    def end(self, request: PendingRequest, state: RequestState, detail: str) -> None:
        """End a request without a decision, or after it; nothing happens if the table forbids it.

        Who has acted had the answer.
        """
        if state is RequestState.ACTED:
            self.took(request)
        if not request.move(state):
            return
        if request.decision is None:
            self._keep_ending(request, f"{state}: {detail}")
        self._write_end(request, detail)
        view = request.view
        del self._requests[view.id], self._by_wire[view.worker, request.wire_id]
        self.answered.ended(view.worker, request.wire_id, request.response)
        self._leave(request)

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

        heard: list[Opinion] = []

        def hear(opinion: Opinion) -> None:
            heard.append(opinion)
            self._hear(request, opinion)

        try:
            decision = await race(request.request, classifier, person, heard=hear)
        except _Settled:
            return
        grounds = Grounds(why=heard[-1].why if heard else "")
        await self.conclude_quietly(request, decision, "classifier", lambda: grounds)

    def _hear(self, request: PendingRequest, opinion: Opinion) -> None:
        """Keep what a classifier of the person's own said; tell of each kind of failure once."""
        if not (opinion.failed or opinion.by):
            return
        view = request.view
        entry = ClassifierHeard(
            request_id=view.id,
            worker=view.worker,
            safe=opinion.safe,
            why=opinion.why,
            failed=opinion.failed,
        )
        try:
            self._around.journal.append(entry)
        except JournalError as error:
            self._around.notice(str(error))
        if opinion.failed and opinion.why not in self._failures and len(self._failures) < FAILURES_TOLD:
            self._failures.add(opinion.why)
            self._around.notice(f"{opinion.why}; {view.id} was left to you.")

    def _show(self, request: PendingRequest) -> None:
        if request.state is RequestState.ASKED and request.move(RequestState.SHOWN):
            self._publish(lambda queue: (*queue, request.view))

    def _note_decision(self, request: PendingRequest, decision: Decision, by: str) -> None:
        how = "allowed" if decision.allowed else "denied"
        self._keep_ending(request, f"{how} by {_WHO.get(by, 'another leader')}")

    def _respond(self, request: PendingRequest, decision: Decision, by: str) -> None:
        if request.state is not RequestState.DECIDED:
            return  # the worker went meanwhile
        request.decision = decision
        self._note_decision(request, decision, by)
        assert request.response is not None
        request.respond(request.response)
        self._leave(request)

    def _refuse_unwritten(self, request: PendingRequest, error: JournalError) -> None:
        message = f"This call was not run: the leader cannot write its journal ({error.problem})."
        if request.move(RequestState.DECIDED):
            decision = Decision(Behavior.DENY, Reason.SETTINGS_DENY, message)
            self._respond(request, decision, "leader")

    def _write_end(self, request: PendingRequest, detail: str) -> None:
        entry = RequestEnded(request_id=request.view.id, state=_ENDS[request.state], detail=detail)
        try:
            self._around.journal.append(entry)
        except JournalError as error:
            self._around.notice(str(error))

    def _leave(self, request: PendingRequest) -> None:
        """Take a request off the screen: it waits for nobody there any more."""
        request.answered.set()
        self._publish(lambda queue: tuple(shown for shown in queue if shown.id != request.view.id))

    def _keep_ending(self, request: PendingRequest, how: str) -> None:
        self._endings[request.view.id] = how
        if len(self._endings) > ENDINGS_LIMIT:
            self._endings.popitem(last=False)

    def _publish(self, updater: registry.QueueUpdater) -> None:
        setter = registry.get_confirm_queue()
        if setter is not None:
            setter(updater)
        self._around.changed()
