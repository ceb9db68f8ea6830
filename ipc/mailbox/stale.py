"""Finds what senders that died have left unfinished in a mailbox, and removes it."""

import os
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_STALE = 60.0
"""How old a dead sender's file is before it goes: a process elsewhere may use the folder too. Seconds."""
_FORSAKEN = 24 * 3600.0
"""How old any file is before it goes, since numbers of processes are used again. In seconds."""


def remove_stale(tmp: "Path", now: float) -> None:
    """Remove what senders that are dead have left unfinished. `now` in seconds. Raises OSError."""
    with os.scandir(tmp) as entries:
        for entry in entries:
            with suppress(FileNotFoundError, IsADirectoryError):
                age = now - entry.stat(follow_symlinks=False).st_mtime
                if age > _FORSAKEN or (age > _STALE and not _is_alive(entry.name)):
                    os.unlink(entry.path)


def _is_alive(name: str) -> bool:
    """Tell whether the process lives whose number the name of a temporary file begins with."""
    try:
        os.kill(int(name.partition(".")[0]), 0)
    except (ValueError, OverflowError, ProcessLookupError):
        return False
    except PermissionError:  # it is another user's
        return True
    return True
