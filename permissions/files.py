"""What the engine may ask of the file system, and who answers: the disk, or a tree in memory.

Every question is cheap and total: what cannot be found out is answered as missing or as empty.
"""

import os
import stat
import sys
from collections.abc import Mapping
from enum import StrEnum
from pathlib import PurePosixPath
from typing import Protocol

MOST_NAMES = 5_000


class Kind(StrEnum):
    """What stands at a path; a link is not followed."""

    FILE = "file"
    FOLDER = "folder"
    LINK = "link"
    MISSING = "missing"


class FileView(Protocol):
    """The file system as the engine sees it. Paths are absolute; no method raises."""

    @property
    def folds_case(self) -> bool:
        """Whether names that differ in case only are the same name here."""

    def kind(self, path: str) -> Kind:
        """What stands at the path."""

    def target(self, path: str) -> str:
        """Where a link leads, as written in it; empty if it is no link."""

    def names(self, folder: str) -> tuple[str, ...]:
        """The names in a folder, MOST_NAMES at most; none if it cannot be listed."""


class RealFiles:
    """The disk."""

    @property
    def folds_case(self) -> bool:
        """Whether names that differ in case only are the same name here."""
        return sys.platform in ("darwin", "win32")

    def kind(self, path: str) -> Kind:
        """What stands at the path."""
        try:
            mode = os.lstat(path).st_mode
        except (OSError, ValueError):
            return Kind.MISSING
        if stat.S_ISLNK(mode):
            return Kind.LINK
        return Kind.FOLDER if stat.S_ISDIR(mode) else Kind.FILE

    def target(self, path: str) -> str:
        """Where a link leads, as written in it."""
        try:
            return os.readlink(path)
        except (OSError, ValueError):
            return ""

    def names(self, folder: str) -> tuple[str, ...]:
        """The names in a folder."""
        found: list[str] = []
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    found.append(entry.name)
                    if len(found) >= MOST_NAMES:
                        break
        except (OSError, ValueError):
            return tuple(found)
        return tuple(found)


class MemoryFiles:
    """A tree in memory: each path with "file", "dir" or "->TARGET". Parents of what is listed exist."""

    def __init__(self, entries: Mapping[str, str], folds_case: bool = False) -> None:
        self._folds = folds_case
        self._kinds: dict[str, Kind] = {"/": Kind.FOLDER}
        self._targets: dict[str, str] = {}
        self._names: dict[str, list[str]] = {}
        for path, what in entries.items():
            self._put(path.rstrip("/") or "/", what)

    def _put(self, path: str, what: str) -> None:
        if what.startswith("->"):
            self._targets[path] = what[2:]
        self._kinds[path] = (
            Kind.LINK if what.startswith("->") else Kind.FOLDER if what == "dir" else Kind.FILE
        )
        for parent in PurePosixPath(path).parents:
            self._kinds.setdefault(str(parent), Kind.FOLDER)
        walk = path
        while walk != "/":
            folder, _, name = walk.rpartition("/")
            names = self._names.setdefault(folder or "/", [])
            if name not in names:
                names.append(name)
            walk = folder or "/"

    @property
    def folds_case(self) -> bool:
        """Whether names that differ in case only are the same name here."""
        return self._folds

    def kind(self, path: str) -> Kind:
        """What stands at the path."""
        return self._kinds.get(path, Kind.MISSING)

    def target(self, path: str) -> str:
        """Where a link leads, as written in it."""
        return self._targets.get(path, "")

    def names(self, folder: str) -> tuple[str, ...]:
        """The names in a folder."""
        return tuple(self._names.get(folder, ()))
