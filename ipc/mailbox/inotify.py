"""Linux's notification of changes in a folder, called directly. Knows nothing of letters."""

import ctypes
import errno
import os
import struct
import sys
from contextlib import suppress
from pathlib import Path

MOVED_TO = 0x80
CREATED = 0x100
_REMOVED, _MOVED, _UNMOUNTED, _IGNORED = 0x400, 0x800, 0x2000, 0x8000
_ONLY_FOLDERS = 0x01000000
_DONT_FOLLOW = 0x02000000
_HEAD = struct.Struct("iIII")  # watch, mask, cookie, length of the name: see inotify(7)
_READ_SIZE = 64 * 1024


class Inotify:
    """A descriptor on which events of one folder arrive. Raises OSError where the system gives none.

    `is_blind` says that the folder was removed, moved or unmounted, so that no more events come.
    """

    def __init__(self, folder: Path, mask: int) -> None:
        if not sys.platform.startswith("linux"):
            raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
        library = ctypes.CDLL(None, use_errno=True)
        self.is_blind = False
        self.fd = _checked(library.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC))
        flags = mask | _REMOVED | _MOVED | _ONLY_FOLDERS | _DONT_FOLLOW
        try:
            _checked(library.inotify_add_watch(self.fd, os.fsencode(folder), flags))
        except OSError:
            self.close()
            raise

    def read(self) -> int:
        """Take what has come and give the kinds of it, or-ed together; 0 if there was nothing."""
        kinds = 0
        with suppress(BlockingIOError):
            while data := os.read(self.fd, _READ_SIZE):
                kinds |= _kinds(data)
        self.is_blind |= bool(kinds & (_REMOVED | _MOVED | _UNMOUNTED | _IGNORED))
        return kinds

    def close(self) -> None:
        """Give the descriptor back. Idempotent."""
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1


def _kinds(data: bytes) -> int:
    kinds = offset = 0
    while offset < len(data):
        _, mask, _, length = _HEAD.unpack_from(data, offset)
        kinds |= mask
        offset += _HEAD.size + length
    return kinds


def _checked(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result
