"""Takes a session over whose leader has died. Starts nothing."""

import os
import shutil
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from swarm.leader.plan.load import load_plan_text
from swarm.leader.plan.resolved import TeamPlan
from swarm.leader.plan.source import read_source
from swarm.leader.session.chain import Record
from swarm.leader.session.errors import NothingKept, SessionCopied, SessionHeld
from swarm.leader.session.folder import Session, say_who_leads
from swarm.leader.session.head import HEAD_FILE
from swarm.leader.session.places import check_own_folder, state_folder_error
from swarm.leader.session.presence import is_process_of, leader_is_there, read_leader_file, take_lock
from swarm.leader.session.recovery import Recovered, recover_journal
from swarm.leader.session.stored import StoredSession


def stored_plan(stored: StoredSession) -> TeamPlan:
    """Give the plan of a session as it was run, though the file may have changed since.

    Raises PlanInvalid if it cannot be run any more, and NothingKept if nobody knows where it came from.
    """
    if stored.leader is None:
        raise NothingKept(str(stored.folder), "it does not say which plan it ran")
    return load_plan_text(read_source(stored.plan), Path(stored.leader.plan_file))


def reopen_session(
    stored: StoredSession,
    plan: TeamPlan,
    program: str,
    take: Callable[[Record], None],
    *,
    clock: Callable[[], float] = time.time,
) -> tuple[Session, Recovered]:
    """Make this process the leader of a session, after `take` was given each record of its journal.

    Raises SessionHeld, SessionCopied, NothingKept, JournalError, UnsafeFolder or StateFolderError; then
    nothing has changed.
    """
    check_own_folder(stored.folder)
    try:
        lock = take_lock(stored.folder)
    except BlockingIOError:
        raise SessionHeld(stored.id, _pid_of_leader(stored.folder)) from None
    except OSError as error:
        raise state_folder_error(stored.folder, error) from error
    try:
        _require_left(stored)
        recovered = recover_journal(stored.journal, take, clock)
        try:
            _clear(stored)
            control = say_who_leads(stored.folder, plan, program, clock())
        except OSError as error:
            recovered.journal.close()
            raise state_folder_error(stored.folder, error) from error
    except BaseException:
        os.close(lock)
        raise
    session = Session(stored.id, stored.folder, plan.name, program, control, recovered.journal, lock)
    return session, recovered


def _require_left(stored: StoredSession) -> None:
    """Refuse a folder whose session may be led elsewhere: a free lock tells nothing in a copy."""
    leader = read_leader_file(stored.folder)
    if leader is None:
        return
    if leader.session_id != stored.id:
        raise SessionCopied(str(stored.folder), leader.session_id)
    if leader.pid != os.getpid() and is_process_of(leader.pid, leader.process_started):
        raise SessionHeld(stored.id, leader.pid)


def _pid_of_leader(folder: Path) -> int:
    """Give the process that leads; 0 while whoever holds the session has not said so yet."""
    leader = read_leader_file(folder)
    return leader.pid if leader is not None and leader_is_there(folder, leader) else 0


def _clear(stored: StoredSession) -> None:
    """Remove what the dead leader could not, and its note of a journal's end that is none any more."""
    for unfinished in stored.folder.glob(".*.new"):
        unfinished.unlink()
    (stored.folder / HEAD_FILE).unlink(missing_ok=True)
    remove_socket(stored)


def remove_socket(stored: StoredSession) -> None:
    """Remove the socket of a leader that is gone. Raises OSError, UnsafeFolder."""
    if stored.leader is None:
        return
    socket = Path(stored.leader.control)
    is_ours = socket.parent.parent == Path(tempfile.gettempdir()) and socket.parent.name.startswith(
        "swarm-"
    )
    with suppress(FileNotFoundError):
        if socket.parent == stored.folder:
            socket.unlink()
        elif is_ours and os.path.lexists(socket.parent):  # the system may have emptied the place meanwhile
            check_own_folder(socket.parent)
            shutil.rmtree(socket.parent)
