"""Whether a session has a leader now, and which, as the session's folder says it. Holds no lock."""

import contextlib
import fcntl
import os
from pathlib import Path

import msgspec

_READ_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_LONGEST = 64 * 1024


class LeaderMark(msgspec.Struct, frozen=True):
    """Names one leader's process. `process_started` is in seconds of the epoch."""

    pid: int
    process_started: float


def present_leader(session: str | os.PathLike[str]) -> LeaderMark | None:
    """Give who leads the session at this moment, or None if nobody does.

    Of a leader whose process is gone the lock is not even tried: for that moment it would be held, and
    another leader who comes just then would be turned away.
    """
    folder = Path(session)
    mark = _read_mark(folder / "leader.json")
    if mark is None or not _is_process(mark.pid) or not _is_locked(folder / "lock"):
        return None
    return mark


_decode = msgspec.json.Decoder(LeaderMark).decode


def _read_mark(path: Path) -> LeaderMark | None:
    try:
        with contextlib.closing(os.fdopen(os.open(path, _READ_FLAGS), "rb")) as file:
            return _decode(file.read(_LONGEST))
    except (OSError, msgspec.MsgspecError):
        return None


def _is_process(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except PermissionError:
        return True
    except (OSError, OverflowError):
        return False
    return pid > 0


def _is_locked(path: Path) -> bool:
    try:
        descriptor = os.open(path, _READ_FLAGS)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return False
