"""Opens exactly what was decided about: a path without links, none of which may have come since."""

import errno
import os
from pathlib import Path

from swarm.worker.errors import ToolError
from swarm.worker.tools.paths import resolved

_FOLDER = os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC | getattr(os, "O_PATH", os.O_RDONLY)
_LINK = (errno.ELOOP, errno.ENOTDIR)


def open_pinned(path: Path, flags: int) -> int:
    """Open an absolute path that was free of links when it was resolved; follow none that is there now.

    Raises ToolError for a link, and what os.open raises.
    """
    try:
        return _open(path, flags | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError as error:
        if error.errno in _LINK:
            check_pinned(path)
        raise


def _open(path: Path, flags: int) -> int:
    folder = os.open("/", _FOLDER)
    try:
        for name in path.parts[1:-1]:
            inner = os.open(name, _FOLDER, dir_fd=folder)
            os.close(folder)
            folder = inner
        return os.open(path.name or ".", flags, dir_fd=folder)
    finally:
        os.close(folder)


def check_pinned(path: Path) -> None:
    """Raise ToolError if a resolved path leads elsewhere by now."""
    if resolved(path) != path:
        raise ToolError(
            f"{path} leads elsewhere now than when this call was decided, so nothing was read. "
            "Repeat the call."
        )
