"""Makes the folder of a new session and holds it for the leader's life.

A session is `$XDG_STATE_HOME/swarm/sessions/<id>/` with `journal.jsonl`, `plan.yaml` as run,
`workers/<name>/`, `leader.json`, `lock` and the control socket.
"""

import os
import re
import secrets
import shutil
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from swarm.leader.plan.resolved import TeamPlan
from swarm.leader.session.head import note_head
from swarm.leader.session.journal import Journal
from swarm.leader.session.places import make_own_folders, state_folder_error, sync_folder, write_whole
from swarm.leader.session.presence import LeaderFile, process_start, take_lock, write_leader_file

JOURNAL_FILE = "journal.jsonl"
PLAN_FILE = "plan.yaml"
_SOCKET_FILE = "control.sock"
_SOCKET_PATH_CAP = 100
"""What fits into `sun_path` everywhere (108 bytes on Linux, 104 on macOS), in bytes."""


@dataclass(eq=False)
class Session:
    """The session that this process leads. `control` is where its control socket is to be."""

    id: str
    folder: Path
    name: str
    program: str
    control: Path
    journal: Journal
    lock: int = field(repr=False)
    closed: bool = field(default=False, repr=False)

    def worker_folder(self, name: str) -> Path:
        """Give the folder of one worker."""
        return self.folder / "workers" / name

    def close(self) -> None:
        """Close the journal and give the lock back. Idempotent. Raises JournalError, but closes even so."""
        if self.closed:
            return
        self.closed = True
        try:
            self.journal.close()
            note_head(self.folder, self.journal)
        finally:
            if self.control.parent != self.folder:
                shutil.rmtree(self.control.parent, ignore_errors=True)
            os.close(self.lock)

    def __enter__(self) -> "Session":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def session_id(name: str, at: float, suffix: str) -> str:
    """Give an id that sorts by time and says what it is: `20261130-203102-release-checks-7f3a` (UTC)."""
    slug = re.sub(r"[^a-z0-9]+", "-", name.lower())[:40].strip("-")
    moment = time.strftime("%Y%m%d-%H%M%S", time.gmtime(at))
    return "-".join(part for part in (moment, slug, suffix) if part)


def _new_folder(sessions: Path, name: str, at: float, draw: Callable[[], str]) -> Path:
    while True:
        folder = sessions / session_id(name, at, draw())
        with suppress(FileExistsError):
            folder.mkdir(mode=0o700)
            return folder


def _control_path(folder: Path) -> Path:
    path = folder / _SOCKET_FILE
    if len(os.fsencode(path)) <= _SOCKET_PATH_CAP:
        return path
    return Path(tempfile.mkdtemp(prefix="swarm-")) / _SOCKET_FILE


def _furnish(folder: Path, plan: TeamPlan) -> None:
    write_whole(folder / PLAN_FILE, plan.text.encode())
    (folder / "workers").mkdir(mode=0o700)
    for worker in plan.workers:
        (folder / "workers" / worker.name).mkdir(mode=0o700)


def create_session(
    plan: TeamPlan,
    program: str,
    *,
    environment: Mapping[str, str] | None = None,
    clock: Callable[[], float] = time.time,
    draw: Callable[[], str] = lambda: secrets.token_hex(2),
) -> Session:
    """Make a session for `plan`, led by this process. `program` is its name and version.

    Raises StateFolderError, UnsafeFolder or JournalError before anything was started; then nothing is
    left behind.
    """
    sessions = make_own_folders(os.environ if environment is None else environment)
    at = clock()
    try:
        folder = _new_folder(sessions, plan.name, at, draw)
    except OSError as error:
        raise state_folder_error(sessions, error) from error
    lock: int | None = None
    try:
        lock = take_lock(folder)
        return _fill(folder, plan, program, at, clock, lock)
    except BaseException as error:
        if lock is not None:
            os.close(lock)
        shutil.rmtree(folder, ignore_errors=True)
        if isinstance(error, OSError):
            raise state_folder_error(folder, error) from error
        raise


def say_who_leads(folder: Path, plan: TeamPlan, program: str, at: float) -> Path:
    """Write that this process leads the session, and give where its control socket is to be.

    Raises OSError.
    """
    control = _control_path(folder)
    leader = LeaderFile(
        session_id=folder.name,
        name=plan.name,
        plan_file=str(plan.file),
        program=program,
        pid=os.getpid(),
        process_started=process_start(os.getpid()) or at,
        began_at=at,
        control=str(control),
    )
    write_leader_file(folder, leader)
    return control


def _fill(
    folder: Path, plan: TeamPlan, program: str, at: float, clock: Callable[[], float], lock: int
) -> Session:
    _furnish(folder, plan)
    journal = Journal(folder / JOURNAL_FILE, clock=clock)
    try:
        control = say_who_leads(folder, plan, program, at)
        sync_folder(folder)
        sync_folder(folder.parent)
    except BaseException:
        journal.close()
        raise
    return Session(folder.name, folder, plan.name, program, control, journal, lock)
