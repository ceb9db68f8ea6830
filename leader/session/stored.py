"""Finds the sessions on disk, running or ended. Changes nothing."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from swarm.leader.errors import (
    AmbiguousSession,
    LeaderError,
    NoSession,
    StateFolderError,
    UnknownSession,
)
from swarm.leader.session.folder import JOURNAL_FILE, PLAN_FILE
from swarm.leader.session.places import check_own_folder, sessions_folder, state_folder_error
from swarm.leader.session.presence import LeaderFile, leader_is_there, read_leader_file


@dataclass(frozen=True, slots=True)
class StoredSession:
    """A session as it lies on disk. `leader` is None where nobody can tell who led it."""

    id: str
    folder: Path
    leader: LeaderFile | None

    @property
    def journal(self) -> Path:
        """Where its journal is."""
        return self.folder / JOURNAL_FILE

    @property
    def plan(self) -> Path:
        """Where the plan is as it was run."""
        return self.folder / PLAN_FILE


def is_alive(session: StoredSession) -> bool:
    """Say whether the session's leader is running."""
    return leader_is_there(session.folder, session.leader)


def _names(environment: Mapping[str, str]) -> list[str]:
    folder = sessions_folder(environment)
    try:
        check_own_folder(folder)
        found = (entry.name for entry in os.scandir(folder) if entry.is_dir())
        return sorted((name for name in found if not name.startswith(".")), reverse=True)
    except StateFolderError:
        if not folder.exists():
            return []
        raise
    except OSError as error:
        raise state_folder_error(folder, error) from error


def _stored(folder: Path) -> StoredSession:
    check_own_folder(folder)
    return StoredSession(folder.name, folder, read_leader_file(folder))


def list_sessions(*, environment: Mapping[str, str] | None = None) -> list[StoredSession]:
    """Give all sessions, the newest first, without those that others could have planted."""
    known = os.environ if environment is None else environment
    sessions = []
    for name in _names(known):
        try:
            sessions.append(_stored(sessions_folder(known) / name))
        except LeaderError:  # planted or just removed: asked for by name, it is an error
            continue
    return sessions


def _newest(sessions: Sequence[StoredSession]) -> StoredSession:
    if not sessions:
        raise NoSession
    return next((session for session in sessions if is_alive(session)), sessions[0])


def find_session(
    id_or_prefix: str | None = None, *, environment: Mapping[str, str] | None = None
) -> StoredSession:
    """Give the session of this id or beginning of an id; None means the newest, a running one first.

    Raises NoSession, UnknownSession, AmbiguousSession or UnsafeFolder.
    """
    known = os.environ if environment is None else environment
    if id_or_prefix is None:
        return _newest(list_sessions(environment=known))
    names = _names(known)
    found = [name for name in names if name.startswith(id_or_prefix)] if id_or_prefix else []
    if id_or_prefix in names:
        found = [id_or_prefix]
    match found:
        case [name]:
            return _stored(sessions_folder(known) / name)
        case []:
            raise UnknownSession(id_or_prefix, names)
        case _:
            raise AmbiguousSession(id_or_prefix, found)
