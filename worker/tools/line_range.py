"""Takes a range of numbered lines out of a file of any size, reading no more than that needs."""

import codecs
import hashlib
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import anyio.from_thread

from swarm.worker.errors import ToolError
from swarm.worker.tools.text_files import EDIT_CAP, binary_kind, open_regular, sniff

LINE_CAP = 2_000
TEXT_CAP = 1_000_000
"""The most characters that one reading gives, so that 2,000 long lines are no flood."""

_PIECE = 256 * 1024


@dataclass(slots=True)
class LineRange:
    """Lines as they are shown, without their ends. `first` counts from 1; `total` is 0 if not known.

    `fingerprint` is that of the whole file, and empty if the file was too large to be read whole.
    """

    lines: list[str]
    first: int
    total: int
    fingerprint: str
    is_empty: bool = False


def read_lines(path: Path, first: int, limit: int, is_ranged: bool) -> LineRange:
    """Give up to `limit` lines from line `first` on.

    Raises ToolError for what is missing, binary or no file, and for a huge file without a range.
    """
    with os.fdopen(open_regular(path), "rb", buffering=0) as file:
        size = os.fstat(file.fileno()).st_size
        if size > EDIT_CAP and not is_ranged:
            raise ToolError(
                f"{path} has {size / 1024**2:,.0f} MiB, too much to be read at once. "
                "Give an offset and a limit, or search it with Grep."
            )
        start = file.read(_PIECE) or b""
        kind = binary_kind(start[:8192])
        if kind:
            raise ToolError(f"{path} seems to be {kind}, not text. Use a program that knows the format.")
        pieces = _pieces(start, lambda: file.read(_PIECE) or b"")
        return take_lines(pieces, start, first, limit, reads_whole=size <= EDIT_CAP)


def _pieces(start: bytes, read: Callable[[], bytes]) -> Iterator[bytes]:
    piece = start
    while piece:
        yield piece
        anyio.from_thread.check_cancelled()  # some files of /proc never end
        piece = read()


def take_lines(
    pieces: Iterable[bytes], start: bytes, first: int, limit: int, reads_whole: bool
) -> LineRange:
    """Take lines out of a file that comes in pieces, of which `start` is the first.

    Without `reads_whole`, and beyond the size that is read whole, it stops when it has the range.
    """
    encoding = sniff(start[:4])
    decoder = codecs.getincrementaldecoder(encoding.codec)("replace")
    digest = hashlib.sha256()
    taker = _Taker(first, limit)
    skipped = len(encoding.mark)
    size = 0
    for piece in pieces:
        digest.update(piece)
        size += len(piece)
        reads_whole = reads_whole and size <= EDIT_CAP
        taker.feed(decoder.decode(piece[skipped:]))
        skipped = 0
        if taker.is_done and not reads_whole:
            return LineRange(taker.lines, first, 0, "")
    taker.feed(decoder.decode(b"", final=True))
    taker.finish()
    whole = digest.hexdigest() if reads_whole else ""
    return LineRange(taker.lines, first, taker.number, whole, is_empty=not start)


class _Taker:
    """Counts the lines of a text that comes in pieces and keeps those of a range, each up to the cap."""

    def __init__(self, first: int, limit: int) -> None:
        self._first = first
        self._limit = limit
        self._open = ""
        self._cut = 0
        self._room = TEXT_CAP
        self.number = 0
        self.lines: list[str] = []

    @property
    def is_done(self) -> bool:
        return len(self.lines) >= self._limit or self._room <= 0

    def feed(self, text: str) -> None:
        if self.is_done:
            self._count(text)
            return
        *whole, rest = text.split("\n")
        for part in whole:
            self._extend(part)
            self._close()
        self._extend(rest)

    def _count(self, text: str) -> None:
        """Only count the lines: what is wanted has been taken."""
        ended, _, rest = text.rpartition("\n")
        if ended or len(rest) < len(text):
            self.number += text.count("\n")
            self._open, self._cut = "", 0
        self._extend(rest)

    def finish(self) -> None:
        if self._open or self._cut:
            self._close()

    def _extend(self, part: str) -> None:
        room = LINE_CAP + 1 - len(self._open)  # one more, for a carriage return
        self._open += part[:room]
        self._cut += max(0, len(part) - room)

    def _close(self) -> None:
        self.number += 1
        if self.number >= self._first and not self.is_done:
            self.lines.append(self._shown())
            self._room -= len(self.lines[-1])
        self._open, self._cut = "", 0

    def _shown(self) -> str:
        line = self._open if self._cut else self._open.removesuffix("\r")
        cut = self._cut + max(0, len(line) - LINE_CAP)
        return line[:LINE_CAP] + (f" … ({cut:,} more characters in this line)" if cut else "")
