"""The one interface that every front end talks to, near (the terminal) or far (another shell)."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Protocol

from swarm.leader.core.views import AnswerToRequest, GrantView, OfferPreview, TeamView, Transcript

BY_A_PERSON = "a person stopped it"
"""Why a worker ended that a person has stopped, as the team and the journal tell it."""


class Client(Protocol):
    """A session as a front end sees it."""

    def team(self) -> TeamView:
        """Give the present picture. Cheap: the same object until something changes."""

    def transcript(self, worker: str) -> Transcript:
        """Give the last entries of one worker. Raises UnknownWorker."""

    def subscribe(self, changed: Callable[[frozenset[str]], None]) -> AbstractContextManager[None]:
        """Call `changed` from the event loop at most once per 16 ms while the context is open.

        It gets the names of the workers whose transcript changed; the team may have changed too.
        """

    async def answer(self, answer: AnswerToRequest) -> None:
        """Decide about a request; returns when the decision is on disk.

        Raises UnknownRequest, AlreadyDecided, DigestMismatch, OfferRefused, LimitsRefused or
        JournalError; then nothing was decided.
        """

    async def preview(self, request_id: str, offer_text: str) -> OfferPreview:
        """Say what one of a request's offers would have let through in this session.

        Raises UnknownRequest, AlreadyDecided or OfferRefused.
        """

    def grants(self) -> tuple[GrantView, ...]:
        """Give the rules that were granted in this session and are in force, oldest first."""

    async def revoke(self, number: int) -> GrantView:
        """Take a granted rule back, from its file too, and decide again what waits; give what it was.

        Raises UnknownGrant, JournalError, or SettingsError if the file cannot be written.
        """

    def held_rules(self) -> tuple[str, ...]:
        """Give in words what changed settings files would allow but is held back in this session."""

    async def accept_rules(self, held: tuple[str, ...]) -> None:
        """Put in force what is held back, and decide again what waits.

        Raises HeldRulesChanged if `held`, which the person saw, is not all that is held now.
        """

    async def stop(self, worker: str | None = None, why: str = BY_A_PERSON) -> None:
        """Stop one worker, or the whole team, in good order; `why` is kept as the reason of its end.

        Idempotent. Raises UnknownWorker.
        """

    async def stop_now(self) -> None:
        """End every process of the team at once."""

    async def pause(self, worker: str | None = None) -> None:
        """Let one worker, or the whole team, stand still with all it runs. Idempotent.

        Its time limits stand still too, and what has not started yet does not. Raises UnknownWorker.
        """

    async def unpause(self, worker: str | None = None) -> None:
        """Let one worker, or the whole team, go on. Idempotent. Raises UnknownWorker."""

    async def send(self, worker: str, text: str) -> None:
        """Send a message to one worker. Raises UnknownWorker or WorkerEnded."""
