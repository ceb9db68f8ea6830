"""Decides what workers ask: by rules at once, else it waits in the confirm queue for the first answer."""

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from swarm.ipc.call_log import CallHistory
from swarm.ipc.messages import PermissionRequest, PermissionWithdrawn
from swarm.leader.core.answered import refused
from swarm.leader.core.answers import decision_of_person
from swarm.leader.core.asking import Asker, Surroundings
from swarm.leader.core.confirm_queue import ConfirmQueue
from swarm.leader.core.entries import Grounds, call_entry, grounds_of
from swarm.leader.core.fates import fate_of
from swarm.leader.core.granting import take_back, write_rules
from swarm.leader.core.left import Left
from swarm.leader.core.past import PastCalls
from swarm.leader.core.refused import RefusedCalls
from swarm.leader.core.requests import PendingRequest, RequestState, size_of
from swarm.leader.core.restoring import Respond, answer_of, pending_of
from swarm.leader.core.verdicts import requests_shown, verdict_of
from swarm.leader.core.views import AnswerToRequest, MissedCall, RequestView
from swarm.leader.errors import DigestMismatch, GrantSpent, JournalError
from swarm.permissions.model import Behavior, Decision, Offer, Reason, Request, Verdict
from swarm.permissions.strategies.interactive import by_rules
from swarm.permissions.strategies.refusals import denied_by_rules
from swarm.permissions.wire import digest_of, request_of, response_message

if TYPE_CHECKING:
    from swarm.permissions.grants import Grant

WAITING_LIMIT = 1_000
"""How many requests of one worker are kept at once; further ones that would wait are denied."""
WAITING_BYTES = 32 * 1024 * 1024
"""How large they may be in all, so that one worker neither fills the memory nor hides the others."""
NOBODY = "No rule allows it, and nobody is here to ask."


class Approvals:
    """The door that every request of every worker comes through."""

    def __init__(self, around: Surroundings) -> None:
        self._around = around
        self._queue = ConfirmQueue(around)
        self._refused = RefusedCalls()
        self.past = PastCalls()
        """The last calls that were decided."""
        self.ended_run: list[MissedCall] = []
        """The calls that ended the run because nobody could be asked and it was to end then."""

    def __repr__(self) -> str:
        return f"<Approvals {self._queue!r}>"

    @property
    def queue(self) -> tuple[RequestView, ...]:
        """The requests that a person can decide about, oldest first."""
        return self._queue.shown

    @property
    def endings(self) -> dict[str, str]:
        """How the last requests ended, in words, by their ids."""
        return self._queue.endings

    @property
    def waiting(self) -> list[PendingRequest]:
        """The requests for which an answer still counts, shown or not yet."""
        return self._queue.open

    def find(self, request_id: str) -> PendingRequest:
        """Give a request that waits. Raises UnknownRequest or AlreadyDecided."""
        return self._queue.find(request_id)

    def restore(self, left: Left, colors: Mapping[str, str], respond: Mapping[str, Respond]) -> None:
        """Let requests wait again that another leader left; deny them where nobody can be asked now."""
        self._queue.count_from(left.request_count)
        for call in left.answered:
            self._queue.answered.answered(call.worker, answer_of(call))
        for one in left.requests:
            worker = one.asked.worker
            request = pending_of(one, colors[worker], self._around.judge, respond[worker])
            self._queue.keep(request, one.number, one.decided.by if one.decided else "")
        if self._around.on_ask != "wait":
            for request in self._queue.open:
                refusal = denied_by_rules(f"{NOBODY} {request.view.why}")
                decision = Decision(Behavior.DENY, Reason.SETTINGS_DENY, refusal)
                self._around.tasks.start_soon(self._queue.conclude_quietly, request, decision, "rules")

    def asked(self, asker: Asker, message: PermissionRequest) -> None:
        """Take a worker's request: answer it by rules at once, or let it wait.

        One that came before, on another way, is never decided or shown again.
        """
        if self._came_before(asker, message):
            return
        request = request_of(message)
        verdict = self._verdict(asker.name, request, requests_shown(message), message.interrupted)
        decision = by_rules(verdict) or self._without_a_person(asker, message, verdict)
        if decision is None:
            self._let_wait(asker, message, request, verdict)
        else:
            self._answer_at_once(asker, message, verdict, decision)
            if verdict.behavior is Behavior.ASK and self._around.on_ask == "fail":
                self.ended_run += self._refused.find(asker.name, (message.id,))
                self._around.stop("a call was not allowed, and the run was to end then")

    def withdrawn(self, worker: str, message: PermissionWithdrawn) -> None:
        """Take note that a worker no longer wants an answer."""
        request = self._queue.find_wire(worker, message.request_id)
        if request is not None:
            self._queue.end(request, RequestState.WITHDRAWN, message.why)

    def took(self, worker: str, wire_id: str) -> None:
        """Take note that a worker has acknowledged the answer to its request."""
        self._queue.answered.took(worker, wire_id)
        request = self._queue.find_wire(worker, wire_id)
        if request is not None:
            self._queue.took(request)

    def acted(self, worker: str, call_id: str, outcome: str) -> None:
        """Take note of how a call ended that was asked about."""
        request = self._queue.find_call(worker, call_id)
        if request is not None:
            self._queue.end(request, RequestState.ACTED, outcome)

    def lost(self, worker: str, calls: CallHistory, why: str) -> None:
        """End every request of a worker that has died, by what its journal of calls says of each."""
        for request in self._queue.of_worker(worker):
            self._queue.end(request, *fate_of(request, calls, why))
        self._queue.answered.forget(worker)

    def missed(self, worker: str, wire_ids: tuple[str, ...]) -> list[MissedCall]:
        """Give what is known of those refused calls of `worker`, for the summary."""
        return self._refused.find(worker, wire_ids)

    async def answer(self, answer: AnswerToRequest) -> None:
        """Decide as a person did; see Client.answer."""
        request = self._queue.find(answer.request_id)
        if request.view.digest != answer.digest:
            raise DigestMismatch(answer.request_id)
        decision = decision_of_person(answer, request.view, self._around.judge)
        written: list[Grant] = []
        before = partial(write_rules, self._around, request, answer, written)
        try:
            await self._queue.conclude(request, decision, "person", before)
        except Exception:
            take_back(self._around, written)
            raise
        self.past.remember(request.view.worker, request.request, not decision.allowed)
        if not decision.allowed:
            self._remember_denial(request)
        if decision.reason is Reason.INTERACTIVE_ALLOW_ALWAYS:
            self.reconsider()

    def reconsider(self) -> None:
        """Decide every waiting request again, after the rules or the mode have changed."""
        for request in self._queue.open:
            decision = by_rules(self._verdict_now(request))
            if decision is not None:
                before = partial(self._decide_again, request, decision)
                self._around.tasks.start_soon(
                    self._queue.conclude_quietly, request, decision, "rules", before
                )

    def _decide_again(self, request: PendingRequest, decision: Decision) -> Grounds:
        """Make sure at the last moment that rules still say so: another may have had the last use.

        Raises GrantSpent.
        """
        worker = request.view.worker
        verdict = self._verdict_now(request)
        if verdict.behavior is not decision.behavior:
            raise GrantSpent
        if decision.allowed:
            self._around.judge.spend(worker, request.request)
        self.past.remember(worker, request.request, not decision.allowed)
        return grounds_of(verdict)

    def _came_before(self, asker: Asker, message: PermissionRequest) -> bool:
        """Answer a request that is known as it was answered, or let it wait on for an answer this way."""
        known = self._queue.find_wire(asker.name, message.id)
        if known is None:
            response = self._queue.answered.again(asker.name, message)
            if response is not None:
                asker.respond(response)
            return response is not None
        if known.view.digest != digest_of(message):
            asker.respond(refused(message, "the same request asked something else before"))
            return True
        known.respond = asker.respond
        if known.response is not None:
            asker.respond(known.response)
        return True

    def _verdict(
        self, worker: str, request: Request, shown: tuple[Request, ...], interrupted: bool
    ) -> Verdict:
        return verdict_of(partial(self._around.judge.verdict, worker), request, shown, interrupted)

    def _verdict_now(self, request: PendingRequest) -> Verdict:
        return self._verdict(request.view.worker, request.request, request.shown, request.interrupted)

    def _without_a_person(
        self, asker: Asker, message: PermissionRequest, verdict: Verdict
    ) -> Decision | None:
        """Deny where nobody can be asked; None lets the request wait."""
        if self._around.on_ask == "wait":
            kept = self._queue.of_worker(asker.name)
            size = size_of(message) + sum(request.size for request in kept)
            if len(kept) < WAITING_LIMIT and size <= WAITING_BYTES:
                return None
            why = f"No rule allows it, and {len(kept)} calls of this worker wait already, or are not over."
        else:
            why = NOBODY
        refusal = denied_by_rules(f"{why} {verdict.why}")
        return Decision(Behavior.DENY, Reason.SETTINGS_DENY, refusal)

    def _answer_at_once(
        self, asker: Asker, message: PermissionRequest, verdict: Verdict, decision: Decision
    ) -> None:
        digest = digest_of(message)
        version = self._around.judge.version(asker.name)
        try:
            self._around.journal.append(call_entry(asker.name, message, digest, verdict, decision, version))
        except JournalError as error:
            self._around.notice(str(error))
            decision = _unwritten(error)
        # First the answer, then what nothing waits for; all of it before anything else is taken in.
        response = response_message(message.id, digest, decision)
        asker.respond(response)
        self._queue.answered.answered(asker.name, response)
        request = request_of(message)
        self.past.remember(asker.name, request, not decision.allowed)
        if decision.allowed:
            self._around.judge.spend(asker.name, request)
        else:
            self._remember(asker.name, message, verdict)

    def _let_wait(
        self, asker: Asker, message: PermissionRequest, request: Request, verdict: Verdict
    ) -> None:
        view = RequestView(
            id=self._queue.next_id(),
            worker=asker.name,
            color=asker.color,
            agent=message.agent,
            tool=message.tool,
            input=message.input,
            cwd=message.cwd,
            preview=message.preview,
            digest=digest_of(message),
            asked_at=self._around.clock(),
            why=verdict.why,
            parts=verdict.parts,
            offers=self._around.judge.offers(asker.name, request),
        )
        waiting = PendingRequest(
            message.id,
            message.call_id,
            request,
            view,
            asker.respond,
            size_of(message),
            requests_shown(message),
            interrupted=message.interrupted,
        )
        try:
            self._queue.add(waiting, verdict)
        except JournalError as error:
            self._around.notice(str(error))
            self._remember(asker.name, message, verdict)
            asker.respond(response_message(message.id, view.digest, _unwritten(error)))

    def _remember(self, worker: str, message: PermissionRequest, verdict: Verdict) -> None:
        offers: tuple[Offer, ...] = ()
        if verdict.behavior is Behavior.ASK:
            offers = self._around.judge.offers(worker, request_of(message))
        call = MissedCall(
            worker,
            message.tool,
            message.preview.title,
            verdict.why,
            tuple(offer.text for offer in offers),
        )
        self._refused.remember(message.id, call)

    def _remember_denial(self, request: PendingRequest) -> None:
        view = request.view
        call = MissedCall(view.worker, view.tool, view.preview.title, "a person denied it")
        self._refused.remember(request.wire_id, call)


def _unwritten(error: JournalError) -> Decision:
    message = f"This call was not run: the leader cannot write its journal ({error.problem})."
    return Decision(Behavior.DENY, Reason.SETTINGS_DENY, message)
