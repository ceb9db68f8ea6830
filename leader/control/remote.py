"""A running session as another shell reaches it. Mirrors the client interface, but everything waits."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TypeVar

import anyio
import msgspec
from anyio.abc import SocketStream
from anyio.streams.buffered import BufferedByteReceiveStream

from swarm.leader.control.failures import unpack_error
from swarm.leader.control.messages import (
    REPLY_CAP,
    AcceptRules,
    AnyAsk,
    AnyReply,
    AskGrants,
    AskHeldRules,
    AskPreview,
    AskTeam,
    AskTranscript,
    Failed,
    GiveAnswer,
    GrantsAre,
    HeldRulesAre,
    PauseWorker,
    PreviewIs,
    RevokeGrant,
    SendText,
    StopNow,
    StopWorker,
    TeamIs,
    TranscriptIs,
    TranscriptsChanged,
    Watch,
    unpack_transcript,
)
from swarm.leader.core.views import AnswerToRequest, GrantView, OfferPreview, TeamView, Transcript
from swarm.leader.errors import LeaderUnreachable

REPLY_LIMIT = 60.0
"""How long the leader may take to answer, in seconds."""

_Kind = TypeVar("_Kind", bound=AnyReply)

_decode = msgspec.json.Decoder(AnyReply).decode
_encode = msgspec.json.Encoder().encode


class RemoteClient:
    """One connection to a session's leader; one ask at a time.

    Every method raises LeaderUnreachable if the leader is gone, and what the client interface raises.
    """

    def __init__(self, session_id: str, stream: SocketStream) -> None:
        self.session_id = session_id
        self._stream = stream
        self._lines = BufferedByteReceiveStream(stream)
        self._asks = 0
        self._turn = anyio.Lock()

    async def team(self) -> TeamView:
        """Give the present picture."""
        reply = await self._ask(AskTeam(id=self._next_id()))
        return self._expect(reply, TeamIs).team

    async def transcript(self, worker: str) -> Transcript:
        """Give the last entries of one worker."""
        reply = await self._ask(AskTranscript(id=self._next_id(), worker=worker))
        return unpack_transcript(self._expect(reply, TranscriptIs))

    async def answer(self, answer: AnswerToRequest) -> None:
        """Decide about a request; returns when the decision is on the leader's disk."""
        await self._ask(GiveAnswer(id=self._next_id(), answer=answer))

    async def preview(self, request_id: str, offer_text: str) -> OfferPreview:
        """Say what one of a request's offers would have let through."""
        ask = AskPreview(id=self._next_id(), request_id=request_id, offer=offer_text)
        return self._expect(await self._ask(ask), PreviewIs).preview

    async def grants(self) -> tuple[GrantView, ...]:
        """Give the granted rules that are in force."""
        return self._expect(await self._ask(AskGrants(id=self._next_id())), GrantsAre).grants

    async def revoke(self, number: int) -> GrantView:
        """Take a granted rule back and give what it was."""
        reply = await self._ask(RevokeGrant(id=self._next_id(), number=number))
        return self._expect(reply, GrantsAre).grants[0]

    async def held_rules(self) -> tuple[str, ...]:
        """Give what changed settings files would allow but is held back."""
        return self._expect(await self._ask(AskHeldRules(id=self._next_id())), HeldRulesAre).held

    async def accept_rules(self, held: tuple[str, ...]) -> None:
        """Put in force what is held back, if it is what the person saw."""
        await self._ask(AcceptRules(id=self._next_id(), held=held))

    async def stop(self, worker: str | None = None) -> None:
        """Stop one worker, or the whole team, in good order."""
        await self._ask(StopWorker(id=self._next_id(), worker=worker))

    async def pause(self, worker: str | None = None) -> None:
        """Let one worker, or the whole team, stand still."""
        await self._ask(PauseWorker(id=self._next_id(), worker=worker))

    async def unpause(self, worker: str | None = None) -> None:
        """Let one worker, or the whole team, go on."""
        await self._ask(PauseWorker(id=self._next_id(), worker=worker, paused=False))

    async def stop_now(self) -> None:
        """End every process of the team at once."""
        await self._ask(StopNow(id=self._next_id()))

    async def send(self, worker: str, text: str) -> None:
        """Send a message to one worker."""
        await self._ask(SendText(id=self._next_id(), worker=worker, text=text))

    async def watch(self) -> AsyncIterator[TeamView]:
        """Give the team now and whenever it changes, until the leader ends. Takes the whole connection."""
        async for reply in self._watch(Watch(id=self._next_id())):
            yield self._expect(reply, TeamIs).team

    async def watch_all(self) -> AsyncIterator[TeamView | frozenset[str]]:
        """The same, and the names of workers whenever their transcripts have changed."""
        async for reply in self._watch(Watch(id=self._next_id(), transcripts=True)):
            if isinstance(reply, TranscriptsChanged):
                yield frozenset(reply.workers)
            else:
                yield self._expect(reply, TeamIs).team

    async def _watch(self, ask: Watch) -> AsyncIterator[AnyReply]:
        async with self._turn:
            await self._put(ask)
            while True:
                try:
                    yield await self._take(ask)
                except LeaderUnreachable:
                    return

    def _next_id(self) -> int:
        self._asks += 1
        return self._asks

    async def _ask(self, ask: AnyAsk) -> AnyReply:
        async with self._turn:
            try:
                with anyio.fail_after(REPLY_LIMIT):
                    await self._put(ask)
                    return await self._take(ask)
            except TimeoutError:
                await self._stream.aclose()
                raise self._unreachable(f"it has not answered for {REPLY_LIMIT:.0f} s") from None

    async def _put(self, ask: AnyAsk) -> None:
        # One that was refused finds its connection closed, with the reason still to be read.
        with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
            await self._stream.send(_encode(ask) + b"\n")

    async def _take(self, ask: AnyAsk) -> AnyReply:
        try:
            reply = _decode(await self._lines.receive_until(b"\n", REPLY_CAP))
        except (anyio.IncompleteRead, anyio.BrokenResourceError, anyio.ClosedResourceError):
            raise self._unreachable("it has closed the connection") from None
        except (anyio.DelimiterNotFound, msgspec.MsgspecError) as error:
            raise self._unreachable(f"its reply cannot be read ({error})") from None
        if isinstance(reply, Failed):
            raise unpack_error(reply)
        if reply.id != ask.id:
            raise self._unreachable("its reply is to something else")
        return reply

    def _expect(self, reply: AnyReply, kind: type[_Kind]) -> _Kind:
        if not isinstance(reply, kind):
            raise self._unreachable(f"it replied {type(reply).__name__} where {kind.__name__} is due")
        return reply

    def _unreachable(self, problem: str) -> LeaderUnreachable:
        return LeaderUnreachable(self.session_id, problem)


@asynccontextmanager
async def connect(session_id: str, path: Path) -> AsyncIterator[RemoteClient]:
    """Reach the leader of a session at its control socket. Raises LeaderUnreachable."""
    try:
        stream = await anyio.connect_unix(path)
    except OSError as error:
        raise LeaderUnreachable(session_id, error.strerror or str(error)) from error
    async with stream:
        yield RemoteClient(session_id, stream)
