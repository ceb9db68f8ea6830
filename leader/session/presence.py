"""How a leader shows that it is there: a lock held for its life, and a file that says who it is."""

import fcntl
import os
import stat
from pathlib import Path

import msgspec

from swarm.leader.session.places import write_whole

LEADER_FILE = "leader.json"
_LOCK_FILE = "lock"
_CLOCK_SLACK = 2.0
"""By how many seconds two readings of a process's start may differ: the clock may have been set."""


class LeaderFile(msgspec.Struct, frozen=True, kw_only=True):
    """Who leads a session. `process_started` and `began_at` are in seconds of the epoch."""

    session_id: str
    name: str
    plan_file: str
    program: str
    pid: int
    process_started: float
    began_at: float
    control: str


def process_start(pid: int) -> float | None:
    """Give when the process `pid` was started, or None if there is none."""
    import psutil

    try:
        return float(psutil.Process(pid).create_time())
    except psutil.Error:
        return None


def take_lock(folder: Path) -> int:
    """Lock the session for this process and give the descriptor that holds it. Raises OSError."""
    descriptor = os.open(folder / _LOCK_FILE, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def lock_is_held(folder: Path) -> bool:
    """Say whether some process holds the session's lock."""
    try:
        descriptor = os.open(folder / _LOCK_FILE, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False


def write_leader_file(folder: Path, leader: LeaderFile) -> None:
    """Say who leads. Raises OSError."""
    write_whole(folder / LEADER_FILE, msgspec.json.format(msgspec.json.encode(leader)) + b"\n")


def read_leader_file(folder: Path) -> LeaderFile | None:
    """Give who leads or led the session, or None if that cannot be told."""
    path = folder / LEADER_FILE
    try:
        if not stat.S_ISREG(path.lstat().st_mode):
            return None
        return msgspec.json.decode(path.read_bytes(), type=LeaderFile)
    except (OSError, msgspec.MsgspecError):
        return None


def leader_is_there(folder: Path, leader: LeaderFile | None) -> bool:
    """Say whether the leader lives: the lock is held, and its process is the one that wrote the file."""
    if leader is None or not lock_is_held(folder):
        return False
    return is_process_of(leader.pid, leader.process_started)


def is_process_of(pid: int, started: float) -> bool:
    """Say whether the process `pid` lives and is the one that was started then."""
    found = process_start(pid)
    return found is not None and abs(found - started) <= _CLOCK_SLACK
