"""How the commands of another shell reach a running session's leader."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from swarm.leader.errors import LeaderUnreachable
from swarm.leader.session.stored import StoredSession, find_session, is_alive

if TYPE_CHECKING:
    from swarm.leader.control.remote import RemoteClient

_Result = TypeVar("_Result")


def running_session(id_or_prefix: str | None) -> StoredSession:
    """Give the session that is meant. Raises LeaderUnreachable if it is not running."""
    session = find_session(id_or_prefix)
    if not is_alive(session):
        raise LeaderUnreachable(session.id, "it is not running")
    return session


def ask_leader(id_or_prefix: str | None, action: Callable[["RemoteClient"], Awaitable[_Result]]) -> _Result:
    """Run `action` with the leader of the session that is meant, and give its result.

    Raises LeaderUnreachable, what finding a session raises, and what `action` raises.
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
