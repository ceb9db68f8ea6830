"""A session as a screen in another process sees it: satisfies Client over the control socket.

Keeps the last picture and the transcripts that were looked at. Decides nothing, and outlives its leader.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import anyio

from swarm.leader.control.remote import RemoteClient, connect
from swarm.leader.core.board import BATCH
from swarm.leader.core.client import BY_A_PERSON
from swarm.leader.core.views import AnswerToRequest, GrantView, OfferPreview, TeamView, Transcript
from swarm.leader.errors import LeaderError, LeaderUnreachable, UnknownWorker

FIRST_LIMIT = 10.0
"""How long the leader may take to give the first picture, in seconds."""
AGAIN_PAUSE = 0.3
"""Seconds until a leader is tried again that has closed the connection."""
FETCH_PAUSE = 0.1
"""The shortest time between two fetches of transcripts, in seconds."""
FETCH_SHARE = 4
"""How many times as long as a fetch took the next one waits at least: long transcripts come rarer."""

_Result = TypeVar("_Result")


class FarClient:
    """One session, followed while `reach_far` is open. `gone` is set once its leader cannot be reached.

    Each ask has a connection of its own and raises LeaderUnreachable, besides what Client says.
    """

    def __init__(self, session_id: str, path: Path, team: TeamView) -> None:
        self._session_id, self._path = session_id, path
        self._team = team
        self._grants: tuple[GrantView, ...] = ()
        self._held: tuple[str, ...] = ()
        self._transcripts: dict[str, Transcript] = {}
        self._stale = {worker.name for worker in team.workers}
        self._looked_at = ""
        self._wanted = anyio.Event()
        self._subscribers: list[Callable[[frozenset[str]], None]] = []
        self._changed: set[str] = set()
        self._is_due = False
        self.gone = anyio.Event()

    def __repr__(self) -> str:
        return f"<FarClient {self._session_id} gone={self.gone.is_set()}>"

    # The picture

    def team(self) -> TeamView:
        """Give the last picture that came."""
        return self._team

    def transcript(self, worker: str) -> Transcript:
        """Give what is known of it; what is newer comes and is told. Raises UnknownWorker."""
        names = [known.name for known in self._team.workers]
        if worker not in names:
            raise UnknownWorker(worker, names)
        self._looked_at = worker
        if worker in self._stale:
            self._wanted.set()
        return self._transcripts.get(worker, Transcript())

    @contextmanager
    def subscribe(self, changed: Callable[[frozenset[str]], None]) -> Iterator[None]:
        """Call `changed` as `Client.subscribe` says."""
        self._subscribers.append(changed)
        try:
            yield
        finally:
            self._subscribers.remove(changed)

    def grants(self) -> tuple[GrantView, ...]:
        """Give the granted rules as they were after the last answer from here."""
        return self._grants

    def held_rules(self) -> tuple[str, ...]:
        """Give what was held back after the last answer from here."""
        return self._held

    def conclude(self, exit_code: int | None, notice: str = "") -> None:
        """Show how the run ended, or what is known where its leader ended before it."""
        notices = (*self._team.notices, notice) if notice else self._team.notices
        queue = self._team.queue if exit_code is None else ()
        self._show(replace(self._team, exit_code=exit_code, notices=notices, queue=queue))

    # What is done

    async def answer(self, answer: AnswerToRequest) -> None:
        """Decide about a request; returns when the decision is on the leader's disk."""
        await self._ask(lambda remote: remote.answer(answer))
        await self.refresh_rules()

    async def preview(self, request_id: str, offer_text: str) -> OfferPreview:
        """Say what an offer would have let through."""
        return await self._ask(lambda remote: remote.preview(request_id, offer_text))

    async def revoke(self, number: int) -> GrantView:
        """Take a granted rule back."""
        revoked = await self._ask(lambda remote: remote.revoke(number))
        await self.refresh_rules()
        return revoked

    async def accept_rules(self, held: tuple[str, ...]) -> None:
        """Put in force what is held back."""
        await self._ask(lambda remote: remote.accept_rules(held))
        await self.refresh_rules()

    async def stop(self, worker: str | None = None, why: str = BY_A_PERSON) -> None:
        """Stop one worker or the whole team; from here it is always a person who does."""
        await self._ask(lambda remote: remote.stop(worker))

    async def stop_now(self) -> None:
        """End every process of the team at once."""
        await self._ask(lambda remote: remote.stop_now())

    async def pause(self, worker: str | None = None) -> None:
        """Let one worker or the whole team stand still."""
        await self._ask(lambda remote: remote.pause(worker))

    async def unpause(self, worker: str | None = None) -> None:
        """Let one worker or the whole team go on."""
        await self._ask(lambda remote: remote.unpause(worker))

    async def send(self, worker: str, text: str) -> None:
        """Send a message to one worker."""
        await self._ask(lambda remote: remote.send(worker, text))

    async def refresh_rules(self) -> None:
        """Fetch what is granted and what is held back, if the leader can be asked."""
        with suppress(LeaderError):  # what was done before is done
            self._grants = await self._ask(lambda remote: remote.grants())
            self._held = await self._ask(lambda remote: remote.held_rules())

    async def _ask(self, action: Callable[[RemoteClient], Awaitable[_Result]]) -> _Result:
        async with connect(self._session_id, self._path) as remote:
            return await action(remote)

    # Following

    async def follow(self) -> None:
        """Take in what changes until the leader is gone; one that closes the connection is tried again."""
        while True:
            try:
                async with connect(self._session_id, self._path) as remote:
                    await self._take(remote)
            except LeaderUnreachable:
                self.gone.set()
                return
            except LeaderError:  # as where too many are connected: it lives
                pass
            await anyio.sleep(AGAIN_PAUSE)
            self._stale = {worker.name for worker in self._team.workers}

    async def _take(self, remote: RemoteClient) -> None:
        async for news in remote.watch_all():
            if isinstance(news, TeamView):
                self._show(news)
            else:
                self._stale |= news
            if self._looked_at in self._stale:
                self._wanted.set()

    async def fetch(self) -> None:
        """Fetch the transcript that is looked at whenever it has changed; run until cancelled."""
        while True:
            await self._wanted.wait()
            self._wanted = anyio.Event()
            began = time.monotonic()
            await self._fetch(self._looked_at)
            await anyio.sleep(max(FETCH_PAUSE, FETCH_SHARE * (time.monotonic() - began)))

    async def _fetch(self, worker: str) -> None:
        self._stale.discard(worker)
        try:
            self._transcripts[worker] = await self._ask(lambda remote: remote.transcript(worker))
        except LeaderError:
            self._stale.add(worker)
        else:
            self._tell(frozenset({worker}))

    def _show(self, team: TeamView) -> None:
        self._team = team
        self._tell(frozenset())

    def _tell(self, workers: frozenset[str]) -> None:
        """Tell the subscribers soon, once for all that comes until then."""
        self._changed |= workers
        if not self._is_due:
            self._is_due = True
            asyncio.get_running_loop().call_later(BATCH, self._tell_now)

    def _tell_now(self) -> None:
        changed, self._changed, self._is_due = frozenset(self._changed), set(), False
        for told in tuple(self._subscribers):
            told(changed)


@asynccontextmanager
async def reach_far(session_id: str, path: Path) -> AsyncIterator[FarClient]:
    """Follow the session whose leader listens at `path`.

    Raises LeaderUnreachable, also where it gives no picture in time, as a leader that was suspended.
    """
    try:
        with anyio.fail_after(FIRST_LIMIT):
            async with connect(session_id, path) as remote:
                client = FarClient(session_id, path, await remote.team())
            await client.refresh_rules()
    except TimeoutError:
        problem = (
            f"it has not answered for {FIRST_LIMIT:.0f} s; it may be suspended, then `fg` brings it back"
        )
        raise LeaderUnreachable(session_id, problem) from None
    async with anyio.create_task_group() as group:
        group.start_soon(client.follow)
        group.start_soon(client.fetch)
        yield client
        group.cancel_scope.cancel()
