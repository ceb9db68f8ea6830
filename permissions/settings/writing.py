"""Writes rules into settings files: locked, atomic, and so that all else in the file stays.

A file that cannot be read is never touched.
"""

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final
from uuid import uuid4

from swarm.permissions.errors import SettingsError
from swarm.permissions.model import Behavior, RuleText
from swarm.permissions.settings.opening import FileText, file_source, leads_outside, read_text, real_path
from swarm.permissions.settings.places import FOLDER, SettingsFile
from swarm.permissions.settings.reading import settings_of
from swarm.permissions.settings.splicing import with_rule, without_rule

LOCK: Final = ".settings.lock"
LONGEST_WAIT: Final = 2.0
"""How long another process may hold the lock, in seconds."""
IGNORED: Final = ("settings.local.json", LOCK, ".gitignore")
"""What git is told to ignore in a project's settings folder: it is personal."""


def add_rule(file: SettingsFile, behavior: Behavior, text: str) -> RuleText:
    """Add a rule unless it is there already, and give it with its place. Raises SettingsError."""
    _change(file, lambda old: with_rule(old, file, behavior, text))
    found = read_text(file)
    rules = settings_of(found.text, file).rules if found else ()
    written = (rule for rule in rules if (rule.behavior, rule.text) == (behavior, text))
    return next(written, RuleText(behavior, text, file_source(file)))


def remove_rule(file: SettingsFile, behavior: Behavior, text: str) -> bool:
    """Remove a rule; False if it was not there. Raises SettingsError."""
    return _change(file, lambda old: without_rule(old, file, behavior, text))


def _change(file: SettingsFile, splice: Callable[[str], str]) -> bool:
    """Read, splice and write under the lock of the folder; say whether anything changed."""
    from filelock import FileLock, Timeout

    _refuse_outside(file)
    try:
        target = real_path(file)
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with FileLock(target.parent / LOCK, timeout=LONGEST_WAIT, mode=0o600, poll_interval=0.005):
            found = read_text(file) or FileText("")
            new = splice(found.text)
            if new == found.text:
                return False
            if target.parent.name == FOLDER:
                _ignore_personal_files(target.parent)
            _replace(target, new, found.mode)
            return True
    except Timeout:
        problem = f"another program has held {file.path.parent / LOCK} for {LONGEST_WAIT:g} s"
        raise SettingsError(file_source(file), problem, "Nothing was changed. Try again.") from None
    except (OSError, RuntimeError) as error:
        advice = "Nothing was changed. Make the folder writable, then try again."
        raise SettingsError(file_source(file), f"the rule cannot be written: {error}", advice) from None


def _refuse_outside(file: SettingsFile) -> None:
    if leads_outside(file):
        problem = f"this is a link to outside the project, {real_path(file)}"
        raise SettingsError(file_source(file), problem, "Nothing was written. Make it an ordinary file.")


def _replace(target: Path, text: str, mode: int) -> None:
    """Put a new file in the place of the old one, so that at any moment one of them is there, whole."""
    temporary = target.with_name(f".{target.name}.{uuid4().hex}")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        with open(os.open(temporary, flags, 0o600), "wb") as stream:
            os.fchmod(stream.fileno(), mode)
            stream.write(text.encode())
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(target)
    except BaseException:
        with suppress(FileNotFoundError):
            temporary.unlink()
        raise
    _sync_folder(target.parent)


def _sync_folder(folder: Path) -> None:
    """Put the new name on the disk too; the file is in place already, so a failure changes nothing."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _ignore_personal_files(folder: Path) -> None:
    """Tell git to ignore the personal files; a line that is there already is not written again."""
    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    descriptor = os.open(folder / ".gitignore", flags, 0o600)
    with open(descriptor, "r+", encoding="utf-8", errors="replace") as stream:
        text = stream.read()
        missing = [f"{name}\n" for name in IGNORED if name not in text.splitlines()]
        if missing:
            separator = "\n" if text and not text.endswith("\n") else ""
            stream.write(separator + "".join(missing))
