"""The folders and files of a mailbox: made private, opened with suspicion, written durably."""

import errno
import os
import stat
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from swarm.ipc.mailbox.errors import BadLetter, MailFailed, UnsafeMail

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_LETTER = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def make_folder(path: "Path") -> None:
    """Make a folder for its owner alone, or check the one there is. Raises UnsafeMail, MailFailed."""
    try:
        with suppress(FileExistsError):
            os.mkdir(path, 0o700)
    except OSError as error:
        raise MailFailed("Making the folder", path, error) from error
    with open_folder(path):
        pass


@contextmanager
def open_folder(path: "Path", above: int | None = None) -> "Iterator[int]":
    """Open a folder, by its last name below the descriptor `above` if given.

    Raises UnsafeMail where it is not ours alone, FileNotFoundError where it is missing, MailFailed.
    """
    try:
        descriptor = os.open(path if above is None else path.name, _FOLDER, dir_fd=above)
    except FileNotFoundError:
        raise
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENOTDIR):
            raise UnsafeMail(path, "it is a symbolic link or no folder") from None
        raise MailFailed("Opening the folder", path, error) from error
    try:
        status = os.fstat(descriptor)
        if status.st_uid != os.geteuid():
            raise UnsafeMail(path, f"it belongs to user {status.st_uid}")
        if status.st_mode & 0o077:
            raise UnsafeMail(path, f"others may use it (mode {stat.S_IMODE(status.st_mode):04o})")
        yield descriptor
    finally:
        os.close(descriptor)


def write_durably(data: bytes, temporary: tuple[str, int], final: tuple[str, int]) -> None:
    """Write a file under a temporary name, then give it its final one; both are (name, folder).

    When this returns, file and name are on the disk. Raises OSError; then it is not there, as a rule.
    """
    try:
        _write(data, *temporary)
        os.rename(temporary[0], final[0], src_dir_fd=temporary[1], dst_dir_fd=final[1])
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary[0], dir_fd=temporary[1])
        raise
    os.fsync(final[1])


def _write(data: bytes, name: str, folder: int) -> None:
    descriptor = os.open(name, _NEW_FILE, 0o600, dir_fd=folder)
    try:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(descriptor, rest) :]
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def names_in(path: "Path") -> list[str]:
    """Give what a folder holds, hidden names left out. Raises MailFailed."""
    try:
        return [name for name in os.listdir(path) if not name.startswith(".")]
    except OSError as error:
        raise MailFailed("Reading the folder", path, error) from error


def read_bounded(path: "Path", cap: int) -> bytes:
    """Give what is in a file, `cap` bytes and one more at most.

    Raises BadLetter where it is none of ours or no regular file, FileNotFoundError, MailFailed.
    """
    try:
        descriptor = os.open(path, _LETTER)
    except FileNotFoundError:
        raise
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENXIO, errno.EACCES, errno.EPERM):
            raise BadLetter("it is no regular file of ours") from None
        raise MailFailed("Reading", path, error) from error
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or status.st_uid != os.geteuid():
            raise BadLetter("it is no regular file of ours")
        return _read(descriptor, min(status.st_size, cap) + 1)
    except OSError as error:
        raise MailFailed("Reading", path, error) from error
    finally:
        os.close(descriptor)


def _read(descriptor: int, size: int) -> bytes:
    pieces = []
    while size and (piece := os.read(descriptor, size)):
        pieces.append(piece)
        size -= len(piece)
    return b"".join(pieces)
