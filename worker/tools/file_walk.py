"""Walks a folder for the files that a project counts as its own: what .gitignore excludes is left out.

Links are never followed, and `.git` is never entered. Order: by name, folder by folder, as ripgrep's.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

_GITIGNORE_CAP = 1024 * 1024


@dataclass(frozen=True, slots=True)
class IgnoreFile:
    """The patterns of one .gitignore. `base` is its folder, with a slash at the end."""

    base: str
    spec: "GitIgnoreSpec"


def walk_files(root: Path) -> Iterator[os.DirEntry[str]]:
    """Give the files below a folder; of links, the link itself. Folders that cannot be read are skipped."""
    yield from _walk(str(root), _ignores_above(root))


def _walk(folder: str, above: tuple[IgnoreFile, ...]) -> Iterator[os.DirEntry[str]]:
    ignores = above + _ignore_file(folder)
    for entry in _entries(folder):
        is_folder = entry.is_dir(follow_symlinks=False)
        if entry.name == ".git" or _is_ignored(entry.path, is_folder, ignores):
            continue
        if is_folder:
            yield from _walk(entry.path, ignores)
        elif entry.is_symlink() or entry.is_file(follow_symlinks=False):
            yield entry


def _entries(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as found:
            return sorted(found, key=lambda entry: os.fsencode(entry.name))
    except OSError:
        return []


def _ignores_above(root: Path) -> tuple[IgnoreFile, ...]:
    """Give those of the folders above, up to the repository's, without what excludes the root itself.

    Who names an excluded folder wants to see what is in it.
    """
    above: tuple[IgnoreFile, ...] = ()
    for folder in repository_folders(root)[:-1]:
        above += _ignore_file(str(folder))
    return tuple(_without(one, str(root)) for one in above)


def _without(ignore: IgnoreFile, root: str) -> IgnoreFile:
    """Drop the patterns that match a folder."""
    relative = root[len(ignore.base) :] + "/"
    kept = [one for one in ignore.spec.patterns if one.match_file(relative) is None]
    return IgnoreFile(ignore.base, type(ignore.spec)(kept))


def repository_folders(root: Path) -> list[Path]:
    """Give the folders from the repository's top down to `root`; only `root` if it lies in none."""
    chain = [root, *root.parents]
    depth = next((i for i, folder in enumerate(chain) if (folder / ".git").exists()), 0)
    return chain[: depth + 1][::-1]


def _ignore_file(folder: str) -> tuple[IgnoreFile, ...]:
    base = folder.rstrip("/") + "/"
    try:
        with open(base + ".gitignore", encoding="utf-8", errors="surrogateescape") as file:
            lines = file.read(_GITIGNORE_CAP).splitlines()
    except OSError:
        return ()
    return (IgnoreFile(base, _spec(lines)),)


def _spec(lines: list[str]) -> "GitIgnoreSpec":
    """Read the patterns; as in git, one that means nothing takes none of the others with it."""
    from pathspec import GitIgnoreSpec  # only the search program needs it, and it costs memory

    try:
        return GitIgnoreSpec.from_lines(lines)
    except ValueError:
        return GitIgnoreSpec.from_lines([line for line in lines if _is_valid(line)])


def _is_valid(line: str) -> bool:
    from pathspec import GitIgnoreSpec

    try:
        GitIgnoreSpec.from_lines([line])
    except ValueError:
        return False
    return True


def _is_ignored(path: str, is_folder: bool, ignores: tuple[IgnoreFile, ...]) -> bool:
    """Ask the deepest file first: its word holds, for or against."""
    for ignore in reversed(ignores):
        relative = path[len(ignore.base) :] + ("/" if is_folder else "")
        verdict = ignore.spec.check_file(relative).include
        if verdict is not None:
            return verdict
    return False
