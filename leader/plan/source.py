"""Reads a plan's text from disk: bounded, UTF-8, and every obstacle named. Parses nothing."""

from difflib import get_close_matches
from pathlib import Path

from swarm.leader.plan.errors import PlanInvalid, Problem

SIZE_CAP = 2 * 1024 * 1024
"""The largest plan that is read, in bytes."""


def read_source(path: Path) -> str:
    """Give the text of the file. Raises PlanInvalid."""
    try:
        if path.is_file():
            with path.open("rb") as file:
                data = file.read(SIZE_CAP + 1)
        else:
            raise PlanInvalid([_not_a_file(path)])
    except OSError as error:
        raise PlanInvalid([_whole(path, f"It cannot be read: {error.strerror}.")]) from error
    if len(data) > SIZE_CAP:
        advice = f"A plan has at most {SIZE_CAP // 1024} KiB; keep long texts in files that steps read."
        raise PlanInvalid([_whole(path, "The file is too large for a plan.", advice)])
    return _decode(path, data)


def _whole(path: Path, text: str, expected: str = "") -> Problem:
    return Problem(str(path), 0, 0, text, expected)


def _not_a_file(path: Path) -> Problem:
    if path.is_dir():
        plans = sorted(found.name for found in path.iterdir() if found.suffix in (".yaml", ".yml"))
        names = f"Name a plan in it: {', '.join(plans[:5])}." if plans else "There is no plan in it."
        return _whole(path, "This is a folder, not a plan.", names)
    if path.exists():
        return _whole(path, "This is not a regular file.")
    folder = path.parent
    if not folder.is_dir():
        return _whole(path, "There is no such file.", f"The folder {folder} does not exist either.")
    names_there = [found.name for found in folder.iterdir() if found.suffix in (".yaml", ".yml")]
    near = get_close_matches(path.name, names_there, n=1, cutoff=0.5)
    return _whole(path, "There is no such file.", f"Did you mean {folder / near[0]}?" if near else "")


def _decode(path: Path, data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line = before.count(b"\n") + 1
        column = len(before.rsplit(b"\n", 1)[-1].decode("utf-8", "replace")) + 1
        text = f"The byte 0x{data[error.start]:02x} is not UTF-8."
        problem = Problem(str(path), line, column, text, "Save the file as UTF-8.")
        raise PlanInvalid([problem]) from error
