"""Gets the text of a settings file without being led astray: bounded, never from a pipe or a device."""

import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from swarm.permissions.errors import SettingsError
from swarm.permissions.model import RuleProblem, Source
from swarm.permissions.settings.places import SettingsFile

LARGEST: Final = 1024 * 1024
"""The largest settings file that is read, in bytes."""


@dataclass(frozen=True, slots=True)
class FileText:
    """What a file held. `notes` are warnings about the file itself, `mode` its permission bits."""

    text: str
    notes: tuple[RuleProblem, ...] = ()
    mode: int = 0o600


def file_source(file: SettingsFile, line: int = 0, column: int = 0) -> Source:
    """Give a place in a settings file."""
    return Source(file.layer, str(file.path), line, column, str(file.base))


def read_text(file: SettingsFile) -> FileText | None:
    """Read a settings file; None if there is none. Raises SettingsError."""
    try:
        descriptor = os.open(file.path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        if file.path.is_symlink():
            raise _unreadable(file, "is a link that leads nowhere") from None
        return None
    except OSError as error:
        raise _unreadable(file, f"cannot be opened: {error.strerror}") from None
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise _unreadable(file, "is no ordinary file")
        data = _read_bounded(descriptor)
    except OSError as error:
        raise _unreadable(file, f"cannot be read: {error.strerror}") from None
    finally:
        os.close(descriptor)
    if len(data) > LARGEST:
        raise _unreadable(file, f"is larger than {LARGEST:,} bytes")
    return FileText(_decoded(file, data), tuple(_notes(file, status)), stat.S_IMODE(status.st_mode))


def _read_bounded(descriptor: int) -> bytes:
    """Read to the end, or to one byte more than is allowed."""
    with open(descriptor, "rb", closefd=False) as stream:
        return stream.read(LARGEST + 1)


def _unreadable(file: SettingsFile, problem: str) -> SettingsError:
    return SettingsError(file_source(file), f"the settings file {problem}", "Mend or remove it.")


def _decoded(file: SettingsFile, data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line, column = before.count(b"\n") + 1, error.start - before.rfind(b"\n")
        place = file_source(file, line, column)
        raise SettingsError(place, "this is no UTF-8", "Save the file as UTF-8.") from None


def _notes(file: SettingsFile, status: os.stat_result) -> list[RuleProblem]:
    notes = []
    if status.st_mode & stat.S_IWOTH:
        advice = f"Anybody on this machine can change your rules. Run: chmod o-w {file.path}"
        notes.append(_note(file, "everybody may write to this settings file", advice))
    if status.st_uid not in (0, os.geteuid()):
        advice = "Its owner can change your rules. Make sure that you trust them."
        notes.append(_note(file, f"this settings file belongs to user {status.st_uid}", advice))
    if file.within is not None and leads_outside(file):
        advice = f"It is read from {real_path(file)}. Make sure that you trust that file."
        notes.append(_note(file, "this settings file is a link to outside the project", advice))
    return notes


def _note(file: SettingsFile, problem: str, advice: str) -> RuleProblem:
    return RuleProblem(file_source(file), "", problem, advice)


def real_path(file: SettingsFile) -> Path:
    """Give where a file lies once all links are followed; a loop of links is left as it is."""
    return Path(os.path.realpath(file.path))


def leads_outside(file: SettingsFile) -> bool:
    """Whether links lead from a file to outside the folder that it should stay in."""
    return file.within is not None and not real_path(file).is_relative_to(os.path.realpath(file.within))
