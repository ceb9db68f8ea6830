"""The pipes between a leader and a worker: made, claimed and read. Starts no process."""

import errno
import os
import stat
from typing import TYPE_CHECKING, NamedTuple

from swarm.ipc.bytestream import READ_SIZE
from swarm.ipc.errors import NotStartedByLeader
from swarm.ipc.stream_channel import UNSENT_CAP, StreamChannel

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable

    from swarm.ipc.codec import Role


class ChildPipes(NamedTuple):
    """The four file descriptors that tie a child to us, none of them inheritable.

    Give `child_stdin` and `child_stdout` to the child as its descriptors 0 and 1 and close both here.
    """

    read_fd: int
    write_fd: int
    child_stdin: int
    child_stdout: int


def open_pipes() -> ChildPipes:
    """Make the pipes for a child that is about to be started. Raises OSError."""
    read_fd, child_stdout = os.pipe()
    try:
        child_stdin, write_fd = os.pipe()
    except OSError:
        os.close(read_fd)
        os.close(child_stdout)
        raise
    return ChildPipes(read_fd, write_fd, child_stdin, child_stdout)


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


class PipeStream:
    """A byte stream over two file descriptors, which it makes non-blocking and closes."""

    def __init__(self, read_fd: int, write_fd: int) -> None:
        self._read_fd = read_fd
        self._write_fd = write_fd
        self._loop: asyncio.AbstractEventLoop | None = None
        self._is_open = True

    def attach(self, loop: "asyncio.AbstractEventLoop") -> None:
        """Get ready to be watched by `loop`."""
        os.set_blocking(self._read_fd, False)
        os.set_blocking(self._write_fd, False)
        self._loop = loop

    def read(self) -> bytes:
        """Read at most READ_SIZE bytes."""
        return os.read(self._read_fd, READ_SIZE)

    def write(self, data: bytes | memoryview) -> int:
        """Write as much of `data` as there is room for."""
        return os.write(self._write_fd, data)

    def watch_reading(self, callback: "Callable[[], object] | None") -> None:
        """Call `callback` when there is something to read; None ends that."""
        if self._loop is None or not self._is_open:
            return
        if callback is None:
            self._loop.remove_reader(self._read_fd)
        else:
            self._loop.add_reader(self._read_fd, callback)

    def watch_writing(self, callback: "Callable[[], object] | None") -> None:
        """Call `callback` when there is room to write; None ends that."""
        if self._loop is None or not self._is_open:
            return
        if callback is None:
            self._loop.remove_writer(self._write_fd)
        else:
            self._loop.add_writer(self._write_fd, callback)

    def close(self) -> None:
        """Close both descriptors. Idempotent."""
        self.watch_reading(None)
        self.watch_writing(None)
        if self._is_open:
            self._is_open = False
            for fd in {self._read_fd, self._write_fd}:
                os.close(fd)


class PipeChannel(StreamChannel):
    """A channel over two file descriptors; serves both ends, a worker on its claimed ones."""

    def __init__(
        self, role: "Role", read_fd: int, write_fd: int, *, cap: int = UNSENT_CAP, id_prefix: str = ""
    ) -> None:
        super().__init__(role, PipeStream(read_fd, write_fd), cap=cap, id_prefix=id_prefix)


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
    import fcntl

    return fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 3)


def _replace(fd: int, opened: int) -> None:
    if opened != fd:
        os.dup2(opened, fd)
        os.close(opened)
