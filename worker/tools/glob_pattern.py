"""Matches relative paths with glob patterns: `*`, `?`, `[…]`, `{a,b}` and `**` over folders. Pure.

No pattern makes it slow: parts are matched one by one, each in time proportional to its length.
"""

import fnmatch
import re
from collections.abc import Sequence

_ALTERNATIVES = 256
_INNERMOST = re.compile(r"\{([^{}]*)\}")
_MAGIC = re.compile(r"[*?\[{]")


class GlobPattern:
    """One pattern. `sees_hidden` lets wildcards match names with a leading dot as well."""

    def __init__(self, pattern: str, sees_hidden: bool = False) -> None:
        self._sees_hidden = sees_hidden
        self._alternatives = [
            [_compiled(part) for part in alternative.split("/") if part not in ("", ".")]
            for alternative in _expanded(pattern)
        ]

    def matches(self, path: str) -> bool:
        """Tell whether the pattern matches a whole relative path."""
        names = path.split("/")
        return any(self._matches_parts(parts, names) for parts in self._alternatives)

    def _matches_parts(self, parts: Sequence[re.Pattern[str] | None], names: Sequence[str]) -> bool:
        """Keep, part by part, the set of how many names can be matched so far."""
        reached = {0}
        for part in parts:
            if part is None:
                reached = self._spread(reached, names)
            else:
                reached = {at + 1 for at in reached if at < len(names) and self._is(part, names[at])}
        return len(names) in reached

    def _spread(self, reached: set[int], names: Sequence[str]) -> set[int]:
        spread = set(reached)
        for at, name in enumerate(names):
            if at in spread and (self._sees_hidden or not name.startswith(".")):
                spread.add(at + 1)
        return spread

    def _is(self, part: re.Pattern[str], name: str) -> bool:
        is_hidden = name.startswith(".") and not part.pattern.startswith("(?s:\\.")
        return (self._sees_hidden or not is_hidden) and part.match(name) is not None


def split_pattern(pattern: str) -> tuple[str, str]:
    """Give the leading folders of a pattern that hold no wildcard, and the rest."""
    parts = pattern.split("/")
    plain = next((i for i, part in enumerate(parts) if _MAGIC.search(part)), len(parts))
    plain = min(plain, len(parts) - 1)
    start = "/".join(parts[:plain])
    return (start or "/" if pattern.startswith("/") else start), "/".join(parts[plain:])


def _compiled(part: str) -> re.Pattern[str] | None:
    """Give the expression for one part; None for `**`."""
    return None if part == "**" else re.compile(fnmatch.translate(part))


def _expanded(pattern: str) -> list[str]:
    """Write the alternatives in braces out, the innermost first, up to the cap."""
    done: list[str] = []
    open_ones = [pattern]
    while open_ones and len(done) + len(open_ones) <= _ALTERNATIVES:
        current = open_ones.pop()
        found = _INNERMOST.search(current)
        if found is None:
            done.append(current)
            continue
        head, tail = current[: found.start()], current[found.end() :]
        open_ones.extend(head + choice + tail for choice in found[1].split(","))
    return done + open_ones
