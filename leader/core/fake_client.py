"""A session that a test or a screenshot plays by hand: it satisfies `Client` and records what it is told.

Queue and transcripts change only through the methods of `Script`, notifications come batched as from
the real core. Starts no process and writes no file.
"""

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from swarm.leader.core.client import BY_A_PERSON
from swarm.leader.core.fake_script import Script
from swarm.leader.core.views import AnswerToRequest, GrantView, OfferPreview, RequestView
from swarm.leader.errors import (
    AlreadyDecided,
    DigestMismatch,
    HeldRulesChanged,
    LeaderError,
    OfferRefused,
    UnknownGrant,
    UnknownRequest,
    WorkerEnded,
)

BATCH_SECONDS = 0.016


class FakeClient(Script):
    """A `Client` in memory. `answers`, `stops`, `stop_reasons`, `stopped_now` and `sent` record what a
    front end asked for.

    `failure`, if set, is raised by the next answer, which then decides nothing. `before_answer` is
    awaited by each answer, so that a test can hold it. `previews` are what is told of offers, by their
    text; `granted` are the grants in force.
    """

    def __init__(self, name: str = "team", clock: Callable[[], float] = time.time) -> None:
        super().__init__(name, clock)
        self.answers: list[AnswerToRequest] = []
        self.stops: list[str | None] = []
        self.stop_reasons: list[str] = []
        self.stopped_now = 0
        self.pauses: list[tuple[str | None, bool]] = []
        self.sent: list[tuple[str, str]] = []
        self.previews: dict[str, OfferPreview] = {}
        self.granted: list[GrantView] = []
        self.held: tuple[str, ...] = ()
        self.failure: LeaderError | None = None
        self.before_answer: asyncio.Event | None = None
        self._listeners: list[Callable[[frozenset[str]], None]] = []
        self._stale: set[str] = set()
        self._timer: asyncio.TimerHandle | None = None

    @contextmanager
    def subscribe(self, changed: Callable[[frozenset[str]], None]) -> Iterator[None]:
        """Call `changed` as `Client.subscribe` says."""
        self._listeners.append(changed)
        try:
            yield
        finally:
            self._listeners.remove(changed)

    async def answer(self, answer: AnswerToRequest) -> None:
        """Take the answer as the real core does, with the same refusals."""
        if self.before_answer is not None:
            await self.before_answer.wait()
        if self.failure is not None:
            failure, self.failure = self.failure, None
            raise failure
        self._check(answer)
        self.answers.append(answer)
        self.resolve(answer.request_id, "decided")

    async def preview(self, request_id: str, offer_text: str) -> OfferPreview:
        """Give what a test set for the offer, else that nothing matches."""
        self._find(request_id)
        return self.previews.get(offer_text, OfferPreview(0, 0, (), 0))

    def grants(self) -> tuple[GrantView, ...]:
        """Give the grants in force."""
        return tuple(self.granted)

    def held_rules(self) -> tuple[str, ...]:
        """Give what is held back."""
        return self.held

    async def accept_rules(self, held: tuple[str, ...]) -> None:
        """Put it in force. Raises HeldRulesChanged."""
        if held != self.held:
            raise HeldRulesChanged(self.held)
        self.held = ()

    async def revoke(self, number: int) -> GrantView:
        """Take one of them back. Raises UnknownGrant."""
        for grant in self.granted:
            if grant.number == number:
                self.granted.remove(grant)
                return grant
        raise UnknownGrant(number)

    def _find(self, request_id: str) -> RequestView:
        if request_id in self.ended:
            raise AlreadyDecided(request_id, self.ended[request_id])
        found = [request for request in self.team().queue if request.id == request_id]
        if not found:
            raise UnknownRequest(request_id)
        return found[0]

    def _check(self, answer: AnswerToRequest) -> RequestView:
        found = self._find(answer.request_id)
        if found.digest != answer.digest:
            raise DigestMismatch(answer.request_id)
        for offer in answer.offers:
            if offer not in found.offers:
                raise OfferRefused(offer.text)
        return found

    async def stop(self, worker: str | None = None, why: str = BY_A_PERSON) -> None:
        """Record the stop and why; the test plays what follows."""
        if worker is not None:
            self.worker(worker)
        self.stops.append(worker)
        self.stop_reasons.append(why)
        if worker is None:
            self.change_team(stopping=True)

    async def stop_now(self) -> None:
        """Record it and end the run, as killing every process does."""
        self.stopped_now += 1
        self.change_team(queue=(), stopping=True, exit_code=130)

    async def pause(self, worker: str | None = None) -> None:
        """Record it and show it."""
        self._set_paused(worker, True)

    async def unpause(self, worker: str | None = None) -> None:
        """Record it and show it."""
        self._set_paused(worker, False)

    def _set_paused(self, worker: str | None, paused: bool) -> None:
        self.pauses.append((worker, paused))
        for name in [one.name for one in self.team().workers] if worker is None else [worker]:
            self.change_worker(name, paused=paused)

    async def send(self, worker: str, text: str) -> None:
        """Record the message. Raises UnknownWorker or WorkerEnded."""
        if self.worker(worker).phase.ended:
            raise WorkerEnded(worker)
        self.sent.append((worker, text))

    def changed(self, worker: str = "") -> None:
        """Tell the listeners within 16 ms, if an event loop runs."""
        if worker:
            self._stale.add(worker)
        if self._timer is not None or not self._listeners:
            return
        self._timer = asyncio.get_running_loop().call_later(BATCH_SECONDS, self._notify)

    def _notify(self) -> None:
        self._timer = None
        stale, self._stale = frozenset(self._stale), set()
        for listener in tuple(self._listeners):
            listener(stale)

    def swap_content(self, request_id: str, digest: str) -> None:
        """Let a request change under its id, which no honest core does."""
        queue = tuple(
            replace(request, digest=digest) if request.id == request_id else request
            for request in self.team().queue
        )
        self.change_team(queue=queue)
