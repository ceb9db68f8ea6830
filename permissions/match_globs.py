"""Globs of the shell against path rules: whether some path could fit both, there or not yet. Pure."""

import re
from dataclasses import dataclass
from functools import lru_cache

from swarm.permissions.globs import WILD, fits, name_pattern
from swarm.permissions.model import RuleText
from swarm.permissions.paths import normal
from swarm.permissions.rules_path import PathIndex, PathPattern
from swarm.permissions.walks import Budget

ANY_DEPTH = "**"
# What comparing a glob with one rule costs of the work for a command.
MEETING = 12
SIGN = re.compile(r"\\.|\[[!^]?\]?[^\]]*\]|.", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Shape:
    """What a rule's paths look like: the place they lie below, empty for any, and their names."""

    head: str
    names: tuple[str, ...]
    rule: RuleText


def met_by(index: PathIndex, glob: str, cwd: str, folds: bool, work: Budget) -> RuleText | None:
    """The first rule about a path for which an absolute glob could stand; `work` pays for each look."""
    names = _names(glob.casefold() if folds else glob)
    wild = next((at for at, name in enumerate(names) if WILD.search(name)), len(names))
    start = "/" + "/".join(names[:wild])
    shapes = _shapes(index, cwd, folds)
    work.spend(MEETING + len(shapes) // 8)
    for shape in shapes:
        if start.startswith(shape.head) or shape.head.startswith(start):
            if not work.spend(MEETING):
                return None
            if meets(names, shape.names):
                return shape.rule
    return None


@lru_cache(maxsize=16)
def _shapes(index: PathIndex, cwd: str, folds: bool) -> tuple[Shape, ...]:
    return tuple(_shape(pattern, cwd, folds) for pattern in index.everything)


def _shape(pattern: PathPattern, cwd: str, folds: bool) -> Shape:
    base = pattern.base if pattern.base is not None else cwd
    text = f"{base}/{pattern.pattern}"
    head = "" if pattern.floats else normal(f"{base}/{pattern.head}")
    if folds:
        text, head = text.casefold(), head.casefold()
    return Shape(head, tuple(name for name in text.split("/") if name), pattern.rule)


def _names(glob: str) -> tuple[str, ...]:
    names: list[str] = []
    for name in glob.split("/"):
        if name == "..":
            names = names[:-1]
        elif name and name != ".":
            names.append(name)
    return tuple(names)


def meets(glob: tuple[str, ...], rule: tuple[str, ...]) -> bool:
    """Whether a path could fit a glob's names, and be what a rule's names fit or lie below that."""
    last = len(rule)
    reached = _past_depths({0}, rule)
    for name in glob:
        if last in reached or (last - 1 in reached and rule[-1] == ANY_DEPTH):
            return True
        after = {at if rule[at] == ANY_DEPTH else at + 1 for at in reached if _passes(name, rule[at])}
        reached = _past_depths(after, rule)
    return last in reached


def _passes(name: str, rule: str) -> bool:
    return rule == ANY_DEPTH or name_meets(name, rule)


def _past_depths(places: set[int], rule: tuple[str, ...]) -> set[int]:
    """The places, and those behind an `**` that stands for no folder; the last one stands for some."""
    found = set(places)
    for at in range(len(rule) - 1):
        if at in found and rule[at] == ANY_DEPTH:
            found.add(at + 1)
    return found


def name_meets(glob: str, rule: str) -> bool:
    """Whether one name could fit both; a leading dot must be written in a glob."""
    if not WILD.search(rule):
        return fits(rule.replace("\\", ""), glob)
    if not WILD.search(glob):
        return name_pattern(rule).fullmatch(glob.replace("\\", "")) is not None
    if glob[0] in "*?[" and rule[0] == ".":
        return False
    return _overlap(tuple(SIGN.findall(glob)), tuple(SIGN.findall(rule)))


@lru_cache(maxsize=2_000)
def _overlap(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether a text could fit both runs of signs."""
    reached = set(range(_stars(other) + 1))
    for sign in one:
        reached = _onward(sign, other, reached)
    return len(other) in reached


def _stars(signs: tuple[str, ...], at: int = 0) -> int:
    while at < len(signs) and signs[at] == "*":
        at += 1
    return at


def _onward(sign: str, other: tuple[str, ...], reached: set[int]) -> set[int]:
    """The places in the other run that can be reached once this sign is passed."""
    after: set[int] = set()
    for at in reached:
        if sign == "*":
            after.update(range(at, len(other) + 1))
        elif at < len(other):
            if other[at] == "*":
                after.add(at)
            elif _alike(sign, other[at]):
                after.add(at + 1)
    return {place for at in after for place in range(at, _stars(other, at) + 1)}


def _alike(one: str, other: str) -> bool:
    """Whether a letter could fit both signs."""
    wild = one in "?*" or one[0] == "[", other in "?*" or other[0] == "["
    if all(wild):
        return True
    if wild[0]:
        return name_pattern(one).fullmatch(other[-1]) is not None
    if wild[1]:
        return name_pattern(other).fullmatch(one[-1]) is not None
    return one[-1] == other[-1]
