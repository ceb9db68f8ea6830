"""Puts a whole file in place at once, at exactly the path that was shown. Never follows a link.

The folders of the path are opened one below the other without following links, so that one that was
swapped for a link since is noticed at the moment of writing, not before it.
"""

import errno
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from swarm.worker.errors import StaleFile, ToolError
from swarm.worker.tools.paths import special_kind
from swarm.worker.tools.text_files import fingerprint

_FOLDER = os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC | getattr(os, "O_PATH", os.O_RDONLY)


def write_atomically(target: Path, data: bytes, expected: str) -> None:
    """Replace the file, or make it and its missing folders. `target` is absolute and free of links.

    `expected` is the fingerprint of what is to be replaced; empty if there is to be nothing. Raises
    StaleFile if something else is there, and ToolError if it cannot be written; then nothing has changed.
    """
    try:
        with _folder(target) as folder:
            mode = _check(target, folder, expected)
            _replace(target, folder, data, mode)
    except OSError as error:
        raise ToolError(f"{target} cannot be written: {error.strerror}. It was left as it was.") from error


@contextmanager
def _folder(target: Path) -> Iterator[int]:
    """Open the folder of a file, making what is missing of it."""
    opened = os.open("/", _FOLDER)
    try:
        for name in target.parent.parts[1:]:
            inner = _open_inner(target, opened, name)
            os.close(opened)
            opened = inner
        yield opened
    finally:
        os.close(opened)


def _open_inner(target: Path, folder: int, name: str) -> int:
    with suppress(FileExistsError):
        try:
            return os.open(name, _FOLDER, dir_fd=folder)
        except FileNotFoundError:
            os.mkdir(name, dir_fd=folder)
        except OSError as error:
            if error.errno in (errno.ELOOP, errno.ENOTDIR) and _is_link(folder, name):
                raise StaleFile(str(target)) from error
            raise
    return os.open(name, _FOLDER, dir_fd=folder)


def _is_link(folder: int, name: str) -> bool:
    return stat.S_ISLNK(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)


def _check(target: Path, folder: int, expected: str) -> os.stat_result | None:
    """Refuse if the file is not what was shown; give what it has of mode and owner, None if it is new."""
    try:
        opened = os.open(target.name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
    except FileNotFoundError:
        if expected:
            raise StaleFile(str(target)) from None
        return None
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise StaleFile(str(target)) from error
        raise
    with os.fdopen(opened, "rb") as file:
        status = os.fstat(opened)
        if special_kind(status.st_mode) or not expected or fingerprint(file.read()) != expected:
            raise StaleFile(str(target))
    if not os.access(target.name, os.W_OK, dir_fd=folder):
        raise ToolError(f"{target} is write-protected, so it was left as it was. Change its mode first.")
    return status


def _replace(target: Path, folder: int, data: bytes, status: os.stat_result | None) -> None:
    """Write a file beside it and rename that. A new one is linked, which fails if something came first."""
    name = f".{target.name[:80]}.{secrets.token_hex(6)}.tmp"
    try:
        _write(folder, name, data, status)
        if status is not None or not _link(target, folder, name):
            os.replace(name, target.name, src_dir_fd=folder, dst_dir_fd=folder)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(name, dir_fd=folder)


def _write(folder: int, name: str, data: bytes, status: os.stat_result | None) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    opened = os.open(name, flags, 0o666 if status is None else 0o600, dir_fd=folder)
    with os.fdopen(opened, "wb") as file:
        file.write(data)
        file.flush()
        if status is not None:
            _keep_owner_and_mode(opened, status)
        os.fsync(opened)


def _keep_owner_and_mode(opened: int, status: os.stat_result) -> None:
    mine = os.fstat(opened)
    if (mine.st_uid, mine.st_gid) != (status.st_uid, status.st_gid):
        with suppress(PermissionError):  # only root may give a file away; the mode still holds
            os.fchown(opened, status.st_uid, status.st_gid)
    os.fchmod(opened, stat.S_IMODE(status.st_mode))


def _link(target: Path, folder: int, name: str) -> bool:
    try:
        os.link(name, target.name, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
    except FileExistsError:
        raise StaleFile(str(target)) from None
    except OSError:  # this file system has no hard links
        return False
    return True
