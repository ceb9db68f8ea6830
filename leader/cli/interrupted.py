"""Finds the sessions whose leader died before their end, and says how to go on with them. Changes none."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from swarm.leader.cli.errors import LeaderLives, NothingToResume, SessionOver, SeveralInterrupted
from swarm.leader.session.entries import SessionEnded
from swarm.leader.session.reading import read_last
from swarm.leader.session.stored import StoredSession, find_session, is_alive, list_sessions

LOOKED_AT = 50
"""How many of the newest sessions are looked at to find interrupted ones."""


def exit_code_of(session: StoredSession) -> int | None:
    """Give the exit code of a session that has ended; None for one that runs or was interrupted."""
    last = read_last(session.journal)
    return last.entry.exit_code if last is not None and isinstance(last.entry, SessionEnded) else None


def is_interrupted(session: StoredSession) -> bool:
    """Say whether a session's leader died before its end."""
    return not is_alive(session) and exit_code_of(session) is None


def interrupted_sessions() -> list[StoredSession]:
    """Give the interrupted ones of the newest sessions, the newest first."""
    return [session for session in list_sessions()[:LOOKED_AT] if is_interrupted(session)]


def newest_interrupted() -> StoredSession:
    """Give the newest interrupted session. Raises NothingToResume."""
    found = interrupted_sessions()
    if not found:
        raise NothingToResume
    return found[0]


def session_to_resume(id_or_prefix: str | None) -> StoredSession:
    """Give the session that is meant, or the only interrupted one.

    Raises LeaderLives, SessionOver, NothingToResume, SeveralInterrupted, and what finding one raises.
    """
    if id_or_prefix is None:
        found = interrupted_sessions()
        if len(found) > 1:
            raise SeveralInterrupted([session.id for session in found])
        return newest_interrupted()
    session = find_session(id_or_prefix)
    if is_alive(session):
        raise LeaderLives(session.id, session.leader.pid if session.leader else 0)
    code = exit_code_of(session)
    if code is not None:
        raise SessionOver(session.id, code)
    return session


def session_to_look_at(id_or_prefix: str | None) -> StoredSession | None:
    """Give the running session that is meant, if one is; without a name the only one, if none waits.

    Raises what finding a session raises.
    """
    if id_or_prefix is None:
        running = [session for session in list_sessions() if is_alive(session)]
        return running[0] if len(running) == 1 and not interrupted_sessions() else None
    session = find_session(id_or_prefix)
    return session if is_alive(session) else None


def waiting_lines(session: StoredSession) -> Iterator[str]:
    """Say what waited for an answer when a session was interrupted, a line each. Raises JournalError."""
    from swarm.leader.cli.story import waiting_line
    from swarm.leader.errors import JournalBroken
    from swarm.leader.session.history import History
    from swarm.leader.session.reading import read_journal

    history = History()
    with read_journal(session.journal) as reading, suppress(JournalBroken):
        for record in reading:
            history.add(record)
    for request_id in history.waiting:
        yield f"  {waiting_line(history, request_id)}"


def interrupted_hint(plan: Path) -> str:
    """Say which session of the same plan was interrupted, or nothing."""
    wanted = str(plan)
    for session in interrupted_sessions():
        if session.leader is not None and session.leader.plan_file == wanted:
            return (
                f"swarm: {session.id} ran this plan and was interrupted; this is a new run. "
                f"To go on with that one: swarm resume {session.id}"
            )
    return ""
