"""The wrapped lines of one transcript, kept in step with it: only what changed is wrapped again. Pure.

Lines have absolute numbers that never change while they exist, so that a reader who has scrolled up
stays where they are when old lines fall away.
"""

from bisect import bisect_right
from dataclasses import dataclass

from swarm.leader.core.views import Entry, TextEntry, ToolEntry, Transcript
from swarm.leader.tui.entries import entry_lines, text_lines
from swarm.leader.tui.wrapping import Line

KEPT_CHARACTERS = 400_000
"""Text that is wrapped at most, from the end of a transcript."""


@dataclass(slots=True)
class _Block:
    """The lines of one entry. `settled` characters of a text make its first `firm` lines for good."""

    entry: Entry
    lines: list[Line]
    settled: int = 0
    firm: int = 0


class TranscriptBuffer:
    """Holds the end of a transcript. `start` and `end` bound the numbers of its lines.

    `earlier` is the number of entries before them that are not held.
    """

    def __init__(self) -> None:
        self._blocks: list[_Block] = []
        self._starts: list[int] = []
        self._number = 0
        self._revision = -1
        self._shape = (0, False, 0)
        self.start = 0
        self.end = 0

    def __repr__(self) -> str:
        return f"TranscriptBuffer({len(self._blocks)} entries, lines {self.start} to {self.end})"

    def update(
        self, transcript: Transcript, width: int, *, whole: bool = False, room: int = KEPT_CHARACTERS
    ) -> None:
        """Bring the lines in step with the last `room` characters, wrapped to `width` cells."""
        if (width, whole, room) != self._shape:
            self.clear()
            self._shape = (width, whole, room)
        elif transcript.revision == self._revision:
            return
        self._revision = transcript.revision
        skipped = max(self._oldest(transcript.entries), self._number - transcript.first)
        self._drop(transcript.first + skipped)
        self._replace(transcript.entries[skipped:])

    @property
    def earlier(self) -> int:
        """The number of entries that were there before the first line."""
        return self._number

    def _oldest(self, entries: tuple[Entry, ...]) -> int:
        """Give the place of the oldest entry that is to be held."""
        room = self._shape[2]
        for at in range(len(entries) - 1, -1, -1):
            entry = entries[at]
            room -= len(entry.output if isinstance(entry, ToolEntry) else entry.text)
            if room < 0:
                return min(at + 1, len(entries) - 1)
        return 0

    def clear(self) -> None:
        """Forget everything; numbers begin at 0 again."""
        self._blocks, self._starts = [], []
        self._revision, self.start, self.end, self._number = -1, 0, 0, 0

    def line(self, number: int) -> Line:
        """Give the line with this absolute number, which must be within `start` and `end`."""
        at = bisect_right(self._starts, number) - 1
        return self._blocks[at].lines[number - self._starts[at]]

    def _drop(self, first: int) -> None:
        gone = first - self._number
        if gone < 0:
            self._blocks, self._starts = [], []
            self.start = self.end
        elif gone:
            self.start = self._starts[gone] if gone < len(self._starts) else self.end
            del self._blocks[:gone], self._starts[:gone]
        self._number = first

    def _replace(self, entries: tuple[Entry, ...]) -> None:
        blocks, starts = self._blocks, self._starts
        changed = self._first_change(entries)
        position = self.start
        if changed:
            position = starts[changed - 1] + len(blocks[changed - 1].lines)
        del starts[changed:], blocks[len(entries) :]
        for at in range(changed, len(entries)):
            if at >= len(blocks):
                blocks.append(self._wrap(entries[at], None))
            elif blocks[at].entry is not entries[at]:
                blocks[at] = self._wrap(entries[at], blocks[at])
            starts.append(position)
            position += len(blocks[at].lines)
        self.end = position

    def _first_change(self, entries: tuple[Entry, ...]) -> int:
        for at, (block, entry) in enumerate(zip(self._blocks, entries, strict=False)):
            if block.entry is not entry and block.entry != entry:
                return at
        return min(len(self._blocks), len(entries))

    def _wrap(self, entry: Entry, old: _Block | None) -> _Block:
        width, whole, _ = self._shape
        if isinstance(entry, TextEntry):
            return _wrap_text(entry, old, width)
        return _Block(entry, entry_lines(entry, width, whole=whole))


def _wrap_text(entry: TextEntry, old: _Block | None, width: int) -> _Block:
    """Wrap text that may only have grown, from the last line feed on that was seen before."""
    lines: list[Line] = []
    settled = 0
    if old is not None and isinstance(old.entry, TextEntry) and _grew(old.entry, entry):
        lines, settled = old.lines[: old.firm], old.settled
    following = entry.text.rfind("\n") + 1
    if following > settled:
        lines += text_lines(entry, entry.text[settled : following - 1], width)
        settled = following
    firm = len(lines)
    if settled < len(entry.text):
        lines += text_lines(entry, entry.text[settled:], width)
    lines.append(())
    return _Block(entry, lines, settled, firm)


def _grew(old: TextEntry, new: TextEntry) -> bool:
    return old.thinking == new.thinking and new.text.startswith(old.text)
