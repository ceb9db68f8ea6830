"""Serves a session's control socket. Decides nothing: it hands each ask to the client interface."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import assert_never

import anyio
import msgspec
from anyio.abc import SocketAttribute, SocketListener, SocketStream
from anyio.streams.buffered import BufferedByteReceiveStream

from swarm.leader.control.failures import pack_error
from swarm.leader.control.messages import (
    ASK_CAP,
    AcceptRules,
    AnyAsk,
    AnyReply,
    AskGrants,
    AskHeldRules,
    AskPreview,
    AskTeam,
    AskTranscript,
    Done,
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
    TranscriptsChanged,
    Watch,
    pack_transcript,
)
from swarm.leader.control.peer import peer_of, why_refused
from swarm.leader.core.client import Client
from swarm.leader.errors import ControlFault, LeaderError, StateFolderError

CLIENTS_CAP = 64
"""How many may be connected at once; further ones are told so and closed."""
SEND_LIMIT = 5.0
"""How long a client may take to read a reply, in seconds, before it is closed."""
IDLE_LIMIT = 60.0
"""How long a client may ask nothing, in seconds, before it is closed."""
WATCH_PAUSE = 0.05
"""The shortest time between two pictures for one who watches, in seconds."""

_decode = msgspec.json.Decoder(AnyAsk).decode
_encode = msgspec.json.Encoder().encode
_Gone = (anyio.BrokenResourceError, anyio.ClosedResourceError, anyio.EndOfStream, TimeoutError)


class ControlServer:
    """All who are connected to one session."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._connected = 0
        self.last_fault = ""

    def __repr__(self) -> str:
        return f"<ControlServer connected={self._connected} {self.last_fault}>"

    async def accept_from(self, listener: SocketListener) -> None:
        """Take connections until cancelled; one that cannot be taken harms no other."""
        async with anyio.create_task_group() as group:
            while True:
                try:
                    stream = await listener.accept()
                except anyio.BrokenResourceError:  # out of descriptors, or gone before it was taken
                    await anyio.sleep(WATCH_PAUSE)
                    continue
                group.start_soon(self._serve, stream)

    async def _serve(self, stream: SocketStream) -> None:
        self._connected += 1
        try:
            async with stream:
                refusal = self._refusal(stream)
                if refusal:
                    await _send(stream, pack_error(0, ControlFault(refusal)))
                else:
                    await self._converse(stream)
        except _Gone:
            return
        except Exception as error:  # whatever one client causes ends with its own connection
            self.last_fault = f"{type(error).__name__}: {error}"
        finally:
            self._connected -= 1

    def _refusal(self, stream: SocketStream) -> str:
        if self._connected > CLIENTS_CAP:
            return f"{CLIENTS_CAP} others are connected already"
        refused = why_refused(peer_of(stream.extra(SocketAttribute.raw_socket)))
        return f"the process that asks is refused: {refused}" if refused else ""

    async def _converse(self, stream: SocketStream) -> None:
        lines = BufferedByteReceiveStream(stream)
        while True:
            try:
                with anyio.fail_after(IDLE_LIMIT):
                    line = await lines.receive_until(b"\n", ASK_CAP)
                ask = _decode(line)
            except anyio.IncompleteRead:
                return
            except anyio.DelimiterNotFound:
                await _send(stream, pack_error(0, ControlFault(f"a line has more than {ASK_CAP} bytes")))
                return
            except (msgspec.MsgspecError, RecursionError) as error:
                await _send(stream, pack_error(0, ControlFault(f"a line is no ask ({error})")))
                return
            if isinstance(ask, Watch):
                await self._watch(stream, ask)
                return
            await _send(stream, await self._reply(ask))

    async def _reply(self, ask: AnyAsk) -> AnyReply:
        try:
            return await self._do(ask)
        except LeaderError as error:
            return pack_error(ask.id, error)
        except Exception as error:  # a fault of ours must not end the session of the one who leads
            return pack_error(ask.id, ControlFault(f"{type(error).__name__}: {error}"))

    async def _do(self, ask: AnyAsk) -> AnyReply:
        match ask:
            case AskTeam() | Watch():
                return TeamIs(id=ask.id, team=self._client.team())
            case AskTranscript():
                return pack_transcript(ask.id, self._client.transcript(ask.worker))
            case GiveAnswer():
                return await self._done(ask, lambda: self._client.answer(ask.answer))
            case StopWorker():
                return await self._done(ask, lambda: self._client.stop(ask.worker))
            case PauseWorker():
                act = self._client.pause if ask.paused else self._client.unpause
                return await self._done(ask, lambda: act(ask.worker))
            case StopNow():
                return await self._done(ask, self._client.stop_now)
            case SendText():
                return await self._done(ask, lambda: self._client.send(ask.worker, ask.text))
            case AskPreview():
                preview = await self._client.preview(ask.request_id, ask.offer)
                return PreviewIs(id=ask.id, preview=preview)
            case AskGrants():
                return GrantsAre(id=ask.id, grants=self._client.grants())
            case RevokeGrant():
                return GrantsAre(id=ask.id, grants=(await self._client.revoke(ask.number),))
            case AskHeldRules():
                return HeldRulesAre(id=ask.id, held=self._client.held_rules())
            case AcceptRules():
                return await self._done(ask, lambda: self._client.accept_rules(ask.held))
            case _:
                assert_never(ask)

    async def _done(self, ask: AnyAsk, action: Callable[[], Awaitable[None]]) -> Done:
        await action()
        return Done(id=ask.id)

    async def _watch(self, stream: SocketStream, ask: Watch) -> None:
        """Send the team, and whose transcripts change, until the client closes or reads too slowly."""
        async with anyio.create_task_group() as group:
            group.start_soon(_cancel_when_closed, stream, group.cancel_scope)
            changed, workers = anyio.Event(), set[str]()

            def note(names: frozenset[str]) -> None:
                workers.update(names)
                changed.set()

            with self._client.subscribe(note):
                shown = None
                while True:
                    changed = anyio.Event()
                    team = self._client.team()
                    if team is not shown:
                        await _send(stream, TeamIs(id=ask.id, team=team))
                        shown = team
                    if workers and ask.transcripts:
                        told = TranscriptsChanged(id=ask.id, workers=tuple(sorted(workers)))
                        workers.clear()
                        await _send(stream, told)
                    await changed.wait()
                    await anyio.sleep(WATCH_PAUSE)


async def _cancel_when_closed(stream: SocketStream, scope: anyio.CancelScope) -> None:
    with suppress(*_Gone):
        while True:
            await stream.receive()
    scope.cancel()


async def _send(stream: SocketStream, reply: AnyReply) -> None:
    """Raises TimeoutError if the client does not read, or what anyio raises if it is gone."""
    with anyio.fail_after(SEND_LIMIT):
        await stream.send(_encode(reply) + b"\n")


@asynccontextmanager
async def serve_control(client: Client, path: Path) -> AsyncIterator[ControlServer]:
    """Serve `client` at the socket `path` (0600, in a private folder) while the context is open.

    Raises StateFolderError if the socket cannot be made.
    """
    try:
        listener = await anyio.create_unix_listener(path, mode=0o600)
    except OSError as error:
        problem = error.strerror or str(error)
        raise StateFolderError(str(path), problem, "Set XDG_STATE_HOME to another folder.") from error
    server = ControlServer(client)
    try:
        async with listener, anyio.create_task_group() as group:
            group.start_soon(server.accept_from, listener)
            yield server
            group.cancel_scope.cancel()
    finally:
        _remove(path)


def _remove(path: Path) -> None:
    path.unlink(missing_ok=True)
