"""Paths as text: made absolute, followed through links, compared with folders. Asks only the file view."""

import re
from dataclasses import dataclass

from swarm.permissions.files import FileView, Kind

LONGEST_PATH = 4_096
MOST_LINKS = 40
# Control characters, and what is invisible or turns the direction of text.
STRANGE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U000e0000-\U000e0fff]"
)


@dataclass(frozen=True, slots=True)
class Place:
    """A path and what it leads to.

    `given` is the path as text, `..` taken out; `real` is where it ends when every link is followed;
    `passed` are both and each link's target between. `looped` says that the links have no end.
    """

    given: str
    real: str
    passed: tuple[str, ...]
    looped: bool = False


def normal(path: str) -> str:
    """The absolute path without `.`, `..`, doubled and trailing slashes. Knows nothing of links."""
    if path[:1] == "/" and "//" not in path and "/." not in path:
        return path.rstrip("/") or "/"
    kept: list[str] = []
    for name in path.split("/"):
        if name == "..":
            if kept:
                kept.pop()
        elif name and name != ".":
            kept.append(name)
    return "/" + "/".join(kept)


def absolute(path: str, cwd: str, home: str) -> str:
    """The path made absolute, not yet normal; a leading `~` is home."""
    if path == "~" or path.startswith("~/"):
        return home + path[1:]
    return path if path.startswith("/") else f"{cwd}/{path}"


def locate(path: str, files: FileView) -> Place:
    """Follow an absolute path as the system would, link by link."""
    given = normal(path)
    passed = [given]
    real, looped = _followed(path, files, passed)
    if ".." in path and not looped:
        other, looped = _followed(given, files, passed)
        if other not in passed:
            passed.append(other)
    if real not in passed:
        passed.append(real)
    return Place(given, real, tuple(passed), looped)


def _followed(path: str, files: FileView, passed: list[str]) -> tuple[str, bool]:
    here: list[str] = []
    rest = [name for name in reversed(path.split("/")) if name and name != "."]
    links = 0
    known = True
    while rest:
        name = rest.pop()
        if name == "..":
            if here:
                here.pop()
            known = True
            continue
        here.append(name)
        if not known:
            continue
        spot = "/" + "/".join(here)
        kind = files.kind(spot)
        if kind is Kind.MISSING:
            known = False
        elif kind is Kind.LINK:
            links += 1
            if links > MOST_LINKS:
                return spot, True
            target = files.target(spot)
            here = [] if target.startswith("/") else here[:-1]
            rest.extend(name for name in reversed(target.split("/")) if name and name != ".")
            passed.append(normal("/" + "/".join(here) + "/" + "/".join(reversed(rest))))
    return "/" + "/".join(here), False


def inside(path: str, folder: str) -> bool:
    """Whether a normal path is a folder or stands below it."""
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def relative(path: str, folder: str) -> str | None:
    """The path as seen from a folder, empty for the folder itself; None if it is not below it."""
    if path == folder:
        return ""
    start = folder.rstrip("/") + "/"
    return path[len(start) :] if path.startswith(start) else None
