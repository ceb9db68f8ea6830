"""The session's key, with which letters are signed: made once, and read with suspicion."""

import errno
import os
import stat
from typing import TYPE_CHECKING

from swarm.ipc.mailbox.errors import MailFailed, UnsafeMail

if TYPE_CHECKING:
    from pathlib import Path

KEY_SIZE = 32
"""In bytes."""


def make_key(path: "Path") -> bytes:
    """Make a key of random bytes at `path` (0600, on the disk) and give it.

    Raises MailFailed, also where there is a file already.
    """
    key = os.urandom(KEY_SIZE)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        descriptor = os.open(path, flags, 0o600)
        try:
            os.write(descriptor, key)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise MailFailed("Making the key", path, error) from error
    return key


def read_key(path: "Path") -> bytes:
    """Give the key at `path`. Raises UnsafeMail where others could know or have made it, MailFailed."""
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        descriptor = os.open(path, flags)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise UnsafeMail(path, "it is a symbolic link") from None
        raise MailFailed("Reading the key", path, error) from error
    try:
        _require_private(path, os.fstat(descriptor))
        key = os.read(descriptor, KEY_SIZE + 1)
    except OSError as error:
        raise MailFailed("Reading the key", path, error) from error
    finally:
        os.close(descriptor)
    if len(key) != KEY_SIZE:
        raise UnsafeMail(path, f"it does not hold {KEY_SIZE} bytes, so it is no key")
    return key


def _require_private(path: "Path", status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise UnsafeMail(path, "it is no regular file")
    if status.st_uid != os.geteuid():
        raise UnsafeMail(path, f"it belongs to user {status.st_uid}")
    if status.st_mode & 0o077:
        raise UnsafeMail(path, f"others may use it (mode {stat.S_IMODE(status.st_mode):04o})")
