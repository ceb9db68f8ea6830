"""Takes standard input and output away from everybody else. Imports little, so that it can come first."""

import errno
import fcntl
import os
import stat

from swarm.ipc.errors import NotStartedByLeader


def claim_stdio() -> tuple[int, int]:
    """Take standard input and output for the wire and give them as (read_fd, write_fd).

    To be called before anything else in the process. Afterwards descriptor 0 is empty and descriptor 1
    leads where 2 does, so that neither a stray print nor a child can touch the wire. Raises
    NotStartedByLeader if they are no pipes.
    """
    _require_pipe(0, "standard input")
    _require_pipe(1, "standard output")
    read_fd, write_fd = _moved(0), _moved(1)
    _replace(0, os.open(os.devnull, os.O_RDONLY))
    try:
        os.dup2(2, 1)
    except OSError:  # there is no standard error
        _replace(1, os.open(os.devnull, os.O_WRONLY))
    return read_fd, write_fd


def _require_pipe(fd: int, name: str) -> None:
    try:
        mode = os.fstat(fd).st_mode
    except OSError as error:
        if error.errno != errno.EBADF:
            raise
        raise NotStartedByLeader(f"{name} is closed") from None
    if os.isatty(fd):
        raise NotStartedByLeader(f"{name} is a terminal")
    if not (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)):
        raise NotStartedByLeader(f"{name} is no pipe")


def _moved(fd: int) -> int:
    """Give a new descriptor above the three standard ones for what `fd` is. Not inheritable."""
    return fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 3)


def _replace(fd: int, opened: int) -> None:
    if opened != fd:
        os.dup2(opened, fd)
        os.close(opened)
