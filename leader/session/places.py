"""Where sessions are kept, and how files there are made so that nobody else can read or plant them."""

import errno
import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO

from swarm.leader.errors import StateFolderError, UnsafeFolder

_ADVICE = {
    errno.ENOSPC: "Make room on that disk, or set XDG_STATE_HOME to a folder on another one.",
    errno.EDQUOT: "Your quota is used up: make room, or set XDG_STATE_HOME to a folder elsewhere.",
    errno.EROFS: "Set XDG_STATE_HOME to a folder that can be written.",
    errno.EACCES: "Make it yours to write, or set XDG_STATE_HOME to a folder that is.",
}
_OTHER_ADVICE = "Set XDG_STATE_HOME to a folder that can be written."


def state_folder_error(path: Path, error: OSError) -> StateFolderError:
    """Give the error for people of an operation on `path` that failed."""
    problem = error.strerror or str(error)
    return StateFolderError(str(path), problem, _ADVICE.get(error.errno or 0, _OTHER_ADVICE))


def state_folder(environment: Mapping[str, str]) -> Path:
    """Give the folder of all that the program remembers. A relative XDG_STATE_HOME does not count."""
    base = Path(environment.get("XDG_STATE_HOME", ""))
    if not base.is_absolute():
        base = Path(environment.get("HOME") or Path.home()) / ".local" / "state"
    return base / "swarm"


def sessions_folder(environment: Mapping[str, str]) -> Path:
    """Give the folder that holds a folder for each session."""
    return state_folder(environment) / "sessions"


def check_own_folder(path: Path) -> None:
    """Refuse what others could have planted. Raises UnsafeFolder, or StateFolderError if it is missing."""
    try:
        status = path.lstat()
    except OSError as error:
        raise state_folder_error(path, error) from error
    if stat.S_ISLNK(status.st_mode):
        raise UnsafeFolder(str(path), "it is a symbolic link")
    if not stat.S_ISDIR(status.st_mode):
        raise UnsafeFolder(str(path), "it is no folder")
    if status.st_uid != os.geteuid():
        raise UnsafeFolder(str(path), f"it belongs to user {status.st_uid}")
    if status.st_mode & 0o022:
        raise UnsafeFolder(str(path), "others may write in it")


def make_own_folders(environment: Mapping[str, str]) -> Path:
    """Make the sessions' folder where it is missing, and give it. Raises StateFolderError, UnsafeFolder."""
    folder = sessions_folder(environment)
    for path in (folder.parent, folder):
        try:
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise state_folder_error(path, error) from error
        check_own_folder(path)
    return folder


def write_whole(path: Path, data: bytes) -> None:
    """Put `data` at `path`, 0600 and on the disk, whole or not at all. Raises OSError."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.new")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    descriptor = os.open(temporary, flags, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def open_regular(path: Path) -> BinaryIO:
    """Open a file to read it; neither follow a link nor wait for the writer of a pipe. Raises OSError."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "it is no regular file", str(path))
    return os.fdopen(descriptor, "rb")


def sync_folder(path: Path) -> None:
    """Have the names in a folder on the disk. Raises OSError."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
