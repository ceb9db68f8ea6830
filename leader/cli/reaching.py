"""How the commands of another shell reach a running session's leader."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from swarm.leader.errors import LeaderUnreachable, SeveralSessions
from swarm.leader.session.stored import StoredSession, find_session, is_alive, list_sessions

if TYPE_CHECKING:
    from swarm.leader.control.remote import RemoteClient

_Result = TypeVar("_Result")


def running_session(id_or_prefix: str | None) -> StoredSession:
    """Give the session that is meant: the named one, or the only one that runs.

    An answer must never reach another session than the one that was seen, so there is no guessing.
    Raises SeveralSessions, LeaderUnreachable if it is not running, and what finding a session raises.
    """
    if id_or_prefix is None:
        running = running_sessions()
        if len(running) > 1:
            raise SeveralSessions([session.id for session in running])
        if running:
            return running[0]
    session = find_session(id_or_prefix)
    if not is_alive(session):
        raise LeaderUnreachable(session.id, "it is not running")
    return session


def running_sessions() -> list[StoredSession]:
    """Give all sessions that run, the newest first."""
    return [session for session in list_sessions() if is_alive(session)]


def ask_leader(id_or_prefix: str | None, action: Callable[["RemoteClient"], Awaitable[_Result]]) -> _Result:
    """Run `action` with the leader of the session that is meant, and give its result.

    Raises SeveralSessions, LeaderUnreachable, what finding a session raises, and what `action` raises.
    """
    import anyio

    from swarm.leader.control.remote import connect

    session = running_session(id_or_prefix)
    assert session.leader is not None, "a running session has said who leads it"
    path = Path(session.leader.control)

    async def reach() -> _Result:
        async with connect(session.id, path) as remote:
            return await action(remote)

    return anyio.run(reach)
