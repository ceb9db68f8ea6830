"""Makes a unified diff that a person can be shown: bounded, and it says what it leaves out. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from swarm.worker.tools.line_matching import Matching, Opcode, match_lines
from swarm.worker.tools.titles import one_line

DIFF_CAP = 200_000
"""The most characters of a diff."""

LINE_CAP = 10_000
_NO_NEWLINE = "\\ No newline at end of file"


@dataclass(frozen=True, slots=True)
class Diff:
    """A unified diff, empty if nothing changed; the counts are of the whole change."""

    text: str
    added: int
    removed: int
    note: str = ""

    @property
    def counts(self) -> str:
        """The counts as a title has them."""
        return f"(+{self.added:,} -{self.removed:,})"


def unified_diff(old: str, new: str, old_name: str, new_name: str) -> Diff:
    """Compare two texts line by line; lines end with a line feed only, so that `\\r` is seen to change."""
    if old == new:
        return Diff("", 0, 0)
    before, after = _lines(old), _lines(new)
    matching = match_lines(before, after)
    header = f"--- {one_line(old_name)}\n+++ {one_line(new_name)}\n"
    hunks = [_hunk(hunk, before, after) for hunk in matching.hunks]
    text, shown = _bounded(header, hunks)
    return Diff(text, matching.added, matching.removed, _note(matching, shown, text))


def _lines(text: str) -> list[str]:
    """Give the lines with their ends, so that a missing last line feed is a difference."""
    lines = [line + "\n" for line in text.split("\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]


def _hunk(hunk: list[Opcode], before: Sequence[str], after: Sequence[str]) -> list[str]:
    first, last = hunk[0], hunk[-1]
    head = f"@@ -{_range(first[1], last[2])} +{_range(first[3], last[4])} @@"
    return [head, *_body(hunk, before, after)]


def _body(hunk: list[Opcode], before: Sequence[str], after: Sequence[str]) -> Iterator[str]:
    for tag, a, b, c, d in hunk:
        if tag == "equal":
            yield from _marked(" ", before[a:b])
            continue
        yield from _marked("-", before[a:b])
        yield from _marked("+", after[c:d])


def _marked(mark: str, lines: Sequence[str]) -> Iterator[str]:
    for line in lines:
        bare = line.removesuffix("\n")
        cut = len(bare) - LINE_CAP
        yield mark + (f"{bare[:LINE_CAP]} … ({cut:,} more characters in this line)" if cut > 0 else bare)
        if not line.endswith("\n"):
            yield _NO_NEWLINE


def _range(start: int, end: int) -> str:
    """Give a range of lines as diffs write it: an empty one names the line before it."""
    length = end - start
    return str(start + 1) if length == 1 else f"{start + 1 if length else start},{length}"


def _bounded(header: str, hunks: list[list[str]]) -> tuple[str, int]:
    """Join whole hunks up to the cap, of the first at least a part; count the changed lines shown."""
    room = DIFF_CAP - len(header)
    kept: list[str] = []
    for number, hunk in enumerate(hunks):
        size = sum(len(line) + 1 for line in hunk)
        if size > room and number > 0:
            break
        for line in hunk:
            room -= len(line) + 1
            if room < 0:
                break
            kept.append(line)
    shown = sum(1 for line in kept if line[0] in "+-")
    return header + "".join(line + "\n" for line in kept), shown


def _note(matching: Matching, shown: int, text: str) -> str:
    left_out = matching.added + matching.removed - shown
    parts = []
    if matching.is_partial:
        parts.append("Too much changes to be compared line by line: the diff shows only how it begins.")
    if left_out > 0:
        parts.append(f"{left_out:,} more changed lines are not shown.")
    if " more characters in this line)\n" in text:
        parts.append("Some lines are cut.")
    return " ".join(parts)
