"""Finds which lines of two texts differ, in bounded time. Pure."""

import difflib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

CONTEXT = 3
CHANGED_CAP = 10_000
"""More changed lines than this are not compared one by one."""

_COST_CAP = 500_000
_WINDOW = 1_000

Opcode = tuple[str, int, int, int, int]


@dataclass(frozen=True, slots=True)
class Matching:
    """Hunks as groups of opcodes over both texts' lines, and how many lines were added and removed.

    `is_partial` says that only the beginning of the change was compared; the counts are of all of it.
    """

    hunks: list[list[Opcode]]
    added: int
    removed: int
    is_partial: bool = False


def match_lines(old: Sequence[str], new: Sequence[str]) -> Matching:
    """Compare two texts. Equal beginnings and ends cost next to nothing, whatever their length."""
    start, end = _common(old, new)
    before, after = old[start : len(old) - end], new[start : len(new) - end]
    is_partial = len(before) + len(after) > CHANGED_CAP or _cost(before, after) > _COST_CAP
    added, removed = _counts(before, after)
    if is_partial and before and after:
        before, after = before[:_WINDOW], after[:_WINDOW]
        end = 0
    if before and after:
        opcodes: list[Opcode] = [*difflib.SequenceMatcher(None, before, after).get_opcodes()]
    else:
        is_partial = False
        opcodes = [("replace", 0, len(before), 0, len(after))] if before or after else []
    shifted = [(tag, a + start, b + start, c + start, d + start) for tag, a, b, c, d in opcodes]
    if not is_partial:
        added = sum(d - c for tag, _, _, c, d in shifted if tag != "equal")
        removed = sum(b - a for tag, a, b, _, _ in shifted if tag != "equal")
    return Matching(_grouped(_with_edges(shifted, start, end)), added, removed, is_partial)


def _common(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    """Give how many lines are equal at the beginning and, beyond those, at the end."""
    shorter = min(len(old), len(new))
    start = next((i for i in range(shorter) if old[i] != new[i]), shorter)
    room = shorter - start
    end = next((i for i in range(room) if old[-1 - i] != new[-1 - i]), room)
    return start, end


def _cost(before: Sequence[str], after: Sequence[str]) -> int:
    """Give about how many steps one pass of the comparison takes: pairs of equal lines."""
    there = Counter(after)
    return sum(count * there[line] for line, count in Counter(before).items())


def _counts(before: Sequence[str], after: Sequence[str]) -> tuple[int, int]:
    """Give how many lines are new and gone at least, wherever they stand."""
    here, there = Counter(before), Counter(after)
    return (there - here).total(), (here - there).total()


def _with_edges(opcodes: list[Opcode], start: int, end: int) -> list[Opcode]:
    """Put the equal lines around the change back, as far as the context reaches."""
    if not opcodes:
        return []
    _, _, last_old, _, last_new = opcodes[-1]
    lead, trail = min(start, CONTEXT), min(end, CONTEXT)
    first: list[Opcode] = [("equal", start - lead, start, start - lead, start)] if lead else []
    rest: list[Opcode] = (
        [("equal", last_old, last_old + trail, last_new, last_new + trail)] if trail else []
    )
    return [*first, *opcodes, *rest]


def _grouped(opcodes: list[Opcode]) -> list[list[Opcode]]:
    """Split into hunks wherever more equal lines than twice the context lie between two changes."""
    hunks: list[list[Opcode]] = []
    current: list[Opcode] = []
    for tag, a, b, c, d in opcodes:
        if tag == "equal" and b - a > 2 * CONTEXT:
            current.append((tag, a, a + CONTEXT, c, c + CONTEXT))
            hunks.append(current)
            current = [(tag, b - CONTEXT, b, d - CONTEXT, d)]
        else:
            current.append((tag, a, b, c, d))
    hunks.append(current)
    return [hunk for hunk in hunks if any(tag != "equal" for tag, *_ in hunk)]
