"""Removes sessions that are over, whole or not at all. Never one that is led, or whose workers live."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from swarm.leader.core.processes import MARK
from swarm.leader.errors import JournalError
from swarm.leader.session.entries import SessionEnded, WorkerChanged
from swarm.leader.session.errors import SessionHeld, SessionLives
from swarm.leader.session.places import check_own_folder, state_folder_error, sync_folder
from swarm.leader.session.presence import is_process_of, take_lock
from swarm.leader.session.reading import read_journal, read_last
from swarm.leader.session.reopening import remove_socket
from swarm.leader.session.stored import StoredSession

LEAVING = ".leaving-"
"""What the name of a session's folder begins with while it is being removed."""


@dataclass(frozen=True, slots=True)
class Remains:
    """A session as far as its removal goes. `last_at` is in seconds of the epoch, `size` in bytes."""

    session: StoredSession
    has_ended: bool
    last_at: float
    size: int


def remains_of(session: StoredSession) -> Remains:
    """Give what there is of a session on disk. Raises StateFolderError."""
    last = read_last(session.journal)
    try:
        last_at = last.at if last else session.folder.stat().st_mtime
        size = _size(session.folder)
    except OSError as error:
        raise state_folder_error(session.folder, error) from error
    return Remains(session, last is not None and isinstance(last.entry, SessionEnded), last_at, size)


def remove_session(session: StoredSession) -> None:
    """Remove all of a session.

    Raises SessionHeld if it is led or about to be, SessionLives if processes of it are left, UnsafeFolder
    or StateFolderError. Who wants to lead it meanwhile finds it held, or gone.
    """
    check_own_folder(session.folder)
    with _held(session):
        living = living_processes(session)
        if living:
            raise SessionLives(session.id, living)
        leaving = session.folder.with_name(f"{LEAVING}{session.id}")
        try:
            remove_socket(session)
            session.folder.rename(leaving)
            sync_folder(leaving.parent)
            shutil.rmtree(leaving)
        except OSError as error:
            raise state_folder_error(session.folder, error) from error


def remove_leavings(sessions: Path) -> None:
    """Remove what a removal left that was interrupted. What cannot be removed stays."""
    for folder in sessions.glob(f"{LEAVING}*"):
        if not folder.is_symlink():
            shutil.rmtree(folder, ignore_errors=True)


def living_processes(session: StoredSession) -> tuple[int, ...]:
    """Give the ids of the session's workers that live, and of all that they started."""
    import psutil

    found = set()
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            mark = process.environ().get(MARK, "")
            if mark.startswith(f"{session.id}/") and process.status() != psutil.STATUS_ZOMBIE:
                found.add(process.pid)
    return tuple(sorted(found | _living_workers(session)))


@contextmanager
def _held(session: StoredSession) -> Iterator[None]:
    """Hold the session's lock, so that nobody begins to lead it. Raises SessionHeld, StateFolderError."""
    try:
        lock = take_lock(session.folder)
    except BlockingIOError:
        raise SessionHeld(session.id, session.leader.pid if session.leader else 0) from None
    except OSError as error:
        raise state_folder_error(session.folder, error) from error
    try:
        yield
    finally:
        os.close(lock)


def _living_workers(session: StoredSession) -> set[int]:
    """Give the workers that the journal names and that live, as far as it can be read."""
    processes: dict[int, float] = {}
    with suppress(JournalError), read_journal(session.journal) as reading:
        for record in reading:
            entry = record.entry
            if isinstance(entry, WorkerChanged) and entry.pid and entry.process_started:
                processes[entry.pid] = entry.process_started
    return {pid for pid, started in processes.items() if is_process_of(pid, started)}


def _size(folder: Path) -> int:
    """Give how much room a folder takes. Follows no link."""
    size = 0
    for at, _, files in os.walk(folder):
        for name in files:
            with suppress(FileNotFoundError):
                size += os.lstat(os.path.join(at, name)).st_blocks * 512
    return size
