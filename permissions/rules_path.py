"""Path patterns of Read and Edit rules: anchors, gitignore matching, and an index of them."""

import re
import warnings
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from swarm.permissions.model import Behavior, RuleText
from swarm.permissions.paths import normal, relative
from swarm.permissions.rules import Rule
from swarm.permissions.walks import Budget

NEVER = re.compile(r"(?!)")
LONGEST_END = 3
# What looking at one pattern costs of the work for a command.
LOOK = 2
WILD = re.compile(r"[*?\[\\]")


@dataclass(frozen=True, slots=True)
class PathPattern:
    """A gitignore pattern below a folder.

    `base` is that folder; None means the request's working directory. `head` are the leading names
    without wildcards, joined; `floats` says that the pattern fits at any depth; `whole` that it takes
    in everything below `head`.
    """

    rule: RuleText
    base: str | None
    pattern: str
    head: str
    floats: bool
    whole: bool

    def matches(self, path: str, cwd: str, folds: bool) -> bool:
        """Whether a normal absolute path fits."""
        below = relative(path, self.base if self.base is not None else cwd)
        if folds and below is None:
            below = relative(path.casefold(), (self.base if self.base is not None else cwd).casefold())
        if below is None:
            return False
        if not below:
            return self.pattern in ("/**", "/") and self.base is not None
        return compiled(self.pattern, folds).match(below) is not None

    def takes_all_below(self, folder: str, cwd: str, folds: bool) -> bool:
        """Whether everything that could stand below the folder fits."""
        return self.matches(f"{folder.rstrip('/')}/\ufdd0/\ufdd1", cwd, folds) and self.matches(
            f"{folder.rstrip('/')}/\ufdd0", cwd, folds
        )

    def could_fit_below(self, folder: str, cwd: str) -> bool:
        """Whether something below the folder could fit."""
        base = self.base if self.base is not None else cwd
        if self.floats:
            return relative(folder, base) is not None or relative(base, folder) is not None
        head = normal(f"{base}/{self.head}")
        return relative(head, folder) is not None or (
            relative(folder, head) is not None and self.head != self.pattern.strip("/")
        )


@lru_cache(maxsize=20_000)
def compiled(pattern: str, folds: bool) -> re.Pattern[str]:
    """The regular expression of a gitignore pattern, for paths without a leading slash; or NEVER."""
    from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

    flags = re.IGNORECASE | re.DOTALL if folds else re.DOTALL
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # `[[]` means the bracket, now and later
        try:
            regex = GitIgnoreSpecPattern(pattern).regex
        except ValueError:
            regex = None
        return NEVER if regex is None else re.compile(regex.pattern, flags)


def read_pattern(rule: Rule, home: str, project: str) -> PathPattern:
    """Anchor a path rule. The specifier is not empty."""
    text = rule.specifier
    base: str | None
    floats = False
    if text.startswith("//"):
        base, body = "/", text[1:]
    elif text == "~" or text.startswith("~/"):
        base, body = home, text[1:] or "/"
    elif text.startswith("/"):
        base, body = rule.text.source.base or project, text
    elif text.startswith("./"):
        base, body = None, text[1:]
    else:
        base, body = None, text.removeprefix("!")
        floats = rule.text.behavior is not Behavior.ALLOW or "/" not in text.rstrip("/")
    floats = floats or body.startswith(("**/", "/**/"))
    names = [name for name in body.split("/") if name and name != "."]
    head: list[str] = []
    for name in names:
        if WILD.search(name):
            break
        head.append(name)
    anchored = "/" + (_stepped("/".join(names)) + ("/" if body.endswith("/") else "") if names else "**")
    if floats:
        anchored = "/**/" + anchored.lstrip("/")
    whole = anchored.endswith(("/**", "/"))
    return PathPattern(rule.text, base, anchored, "" if floats else "/".join(head), floats, whole)


def _stepped(body: str) -> str:
    if ".." not in body.split("/"):
        return body
    return normal(body).lstrip("/")


@dataclass(frozen=True, slots=True, eq=False)
class PathIndex:
    """Path patterns by where they begin.

    `heads` are found by absolute leading names, `local` by those below the working directory, `names`
    by a literal name at any depth, `rest` by how such a name begins ("abc*") or ends ("*abc"). `order`
    and `local_order` are sorted keys; `floating` is one pattern for any depth for each base.
    """

    heads: dict[str, tuple[PathPattern, ...]]
    local: dict[str, tuple[PathPattern, ...]]
    names: dict[str, tuple[PathPattern, ...]]
    rest: dict[str, tuple[PathPattern, ...]]
    everything: tuple[PathPattern, ...]
    order: tuple[str, ...]
    local_order: tuple[str, ...]
    floating: tuple[PathPattern, ...]

    def __bool__(self) -> bool:
        return bool(self.everything)

    def candidates(self, path: str, cwd: str) -> Iterator[PathPattern]:
        """The patterns that could fit a normal absolute path."""
        if not self.everything:
            return
        if self.heads:
            yield from _by_head(path, self.heads)
        if self.local:
            below = relative(path.casefold(), cwd.casefold())
            if below is not None:
                yield from _by_head(below, self.local)
        if self.names:
            for name in set(path.casefold().split("/")):
                yield from self.names.get(name, ())
        if self.rest:
            yield from self._by_ends(path)

    def _by_ends(self, path: str) -> Iterator[PathPattern]:
        for key in _ends(path) & self.rest.keys():
            yield from self.rest[key]

    def match(self, path: str, cwd: str, folds: bool, work: Budget | None = None) -> RuleText | None:
        """The first rule that fits a normal absolute path; `work` pays for each that is looked at."""
        looked, found = 1, None
        for pattern in self.candidates(path, cwd):
            looked += LOOK
            if pattern.matches(path, cwd, folds):
                found = pattern.rule
                break
        if work is not None:
            work.left -= looked
        return found

    def match_all_below(
        self, folder: str, cwd: str, folds: bool, work: Budget | None = None
    ) -> RuleText | None:
        """The first rule that fits everything below a folder; `work` pays for each that is looked at."""
        looked, found = 1, None
        for pattern in self.candidates(f"{folder.rstrip('/')}/\ufdd0", cwd):
            looked += 2 * LOOK
            if pattern.takes_all_below(folder, cwd, folds):
                found = pattern.rule
                break
        if work is not None:
            work.left -= looked
        return found

    def match_fixed_below(self, folder: str, cwd: str) -> RuleText | None:
        """The first rule, of those that begin at a fixed place, that could fit something below a folder."""
        found = _next_below(folder, self.heads, self.order) if self.heads else None
        below = relative(folder.casefold(), cwd.casefold()) if self.local else None
        if found is None and below is not None:
            found = _next_below(below, self.local, self.local_order)
        elif found is None and self.local and relative(cwd.casefold(), folder.casefold()) is not None:
            found = self.local[self.local_order[0]][0]
        if found is None:
            above = (pattern for pattern in self.candidates(folder, cwd) if not pattern.floats)
            found = next((pattern for pattern in above if pattern.could_fit_below(folder, cwd)), None)
        return None if found is None else found.rule

    def match_floating_below(self, folder: str, cwd: str) -> RuleText | None:
        """The first rule, of those for any depth, that could fit something below a folder."""
        found = (pattern for pattern in self.floating if pattern.could_fit_below(folder, cwd))
        return next((pattern.rule for pattern in found), None)


@lru_cache(maxsize=1_000)
def _ends(path: str) -> frozenset[str]:
    """The keys by which patterns that could fit a path are found."""
    keys = {"*"}
    for name in path.casefold().split("/"):
        for length in range(1, LONGEST_END + 1):
            keys.add(f"{name[:length]}*")
            keys.add(f"*{name[-length:]}")
    return frozenset(keys)


def _by_head(path: str, heads: dict[str, tuple[PathPattern, ...]]) -> Iterator[PathPattern]:
    path = path.casefold()
    while True:
        yield from heads.get(path, ())
        if path in ("", "/"):
            return
        cut = path.rfind("/")
        path = "/" if cut == 0 else path[:cut] if cut > 0 else ""


def _next_below(
    folder: str, heads: dict[str, tuple[PathPattern, ...]], order: tuple[str, ...]
) -> PathPattern | None:
    """A pattern whose leading names go on below a folder."""
    start = folder.casefold().rstrip("/")
    start = f"{start}/" if start or folder == "/" else ""
    at = bisect_left(order, start)
    while at < len(order) and order[at] in ("", "/") and start in ("", "/"):
        at += 1
    return heads[order[at]][0] if at < len(order) and order[at].startswith(start) else None


def _end_of(pattern: str) -> str:
    """How the last name of a pattern begins or ends, as a key; "*" if nothing of it is literal."""
    name = pattern.removesuffix("/**").rpartition("/")[2]
    head = WILD.split(name)[0]
    if head:
        return f"{head[:LONGEST_END]}*"
    tail = re.split(r"[*?\[\]\\]", name)[-1]
    return f"*{tail[-LONGEST_END:]}" if tail else "*"


def index_paths(patterns: Iterable[PathPattern]) -> PathIndex:
    """Sort patterns for finding."""
    heads: dict[str, list[PathPattern]] = {}
    local: dict[str, list[PathPattern]] = {}
    names: dict[str, list[PathPattern]] = {}
    rest: dict[str, list[PathPattern]] = {}
    everything = tuple(patterns)
    for pattern in everything:
        name = pattern.pattern.removeprefix("/**/").rstrip("/")
        if not pattern.floats:
            base = pattern.base
            key = pattern.head if base is None else normal(f"{base}/{pattern.head}")
            (local if base is None else heads).setdefault(key.casefold(), []).append(pattern)
        elif name and not WILD.search(name):
            names.setdefault(name.rpartition("/")[2].casefold(), []).append(pattern)
        else:
            rest.setdefault(_end_of(name.casefold()), []).append(pattern)
    return PathIndex(
        {key: tuple(found) for key, found in heads.items()},
        {key: tuple(found) for key, found in local.items()},
        {key: tuple(found) for key, found in names.items()},
        {key: tuple(found) for key, found in rest.items()},
        everything,
        tuple(sorted(heads)),
        tuple(sorted(local)),
        tuple({pattern.base: pattern for pattern in reversed(everything) if pattern.floats}.values()),
    )
