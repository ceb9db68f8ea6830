"""Searches files for lines with Python's `re`, in the words of ripgrep's `--json`. Run it in a process.

Binary files, files above the cap and files that cannot be read are skipped, as ripgrep does it.
"""

import os
import re
import stat
from bisect import bisect_right
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from swarm.worker.tools.file_walk import walk_files
from swarm.worker.tools.text_files import EDIT_CAP, sniff

if TYPE_CHECKING:
    from swarm.worker.tools.search_program import GrepJob


def search_lines(job: "GrepJob") -> Iterator[dict[str, Any]]:
    """Give the matches file by file. Raises ValueError for a pattern that is no regular expression."""
    flags = (re.IGNORECASE if job.ignore_case else 0) | (re.MULTILINE | re.DOTALL if job.multiline else 0)
    try:
        pattern = re.compile(job.pattern, flags)
    except (re.error, RecursionError, OverflowError) as error:
        raise ValueError(f"{error}") from error
    for path in _paths(Path(job.root)):
        text = _text(path)
        if text is not None:
            name = {"text": os.fsencode(path).decode("utf-8", "replace")}
            yield {"type": "begin", "data": {"path": name}}
            yield from _search(text, pattern, job)
            yield {"type": "end", "data": {"path": name, "binary_offset": None}}


def _paths(root: Path) -> Iterator[str]:
    if not root.is_dir():
        yield str(root)
        return
    yield from (entry.path for entry in walk_files(root) if not entry.is_symlink())


def _text(path: str) -> str | None:
    try:
        opened = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY)
        with os.fdopen(opened, "rb") as file:
            status = os.fstat(opened)
            if not stat.S_ISREG(status.st_mode) or status.st_size > EDIT_CAP:
                return None
            data = file.read()
    except OSError:
        return None
    encoding = sniff(data[:4])
    if b"\0" in data and not encoding.codec.startswith("utf-16"):
        return None
    return data[len(encoding.mark) :].decode(encoding.codec, "replace")


def _search(text: str, pattern: re.Pattern[str], job: "GrepJob") -> Iterator[dict[str, Any]]:
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    spans = _spans(text, lines, pattern) if job.multiline else _single(lines, pattern)
    written = 0
    for number, (first, last) in enumerate(spans):
        following = spans[number + 1][0] if number + 1 < len(spans) else len(lines)
        for line in range(max(written, first - job.before), first):
            yield _event("context", line, lines[line])
        yield _event("match", first, "\n".join(lines[first:last]))
        written = min(last + job.after, following)
        for line in range(last, min(written, len(lines))):
            yield _event("context", line, lines[line])


def _single(lines: list[str], pattern: re.Pattern[str]) -> list[tuple[int, int]]:
    return [
        (number, number + 1) for number, line in enumerate(lines) if pattern.search(line.removesuffix("\r"))
    ]


def _spans(text: str, lines: list[str], pattern: re.Pattern[str]) -> list[tuple[int, int]]:
    """Give the ranges of lines that matches cover; those that share a line are one."""
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    spans: list[tuple[int, int]] = []
    for match in pattern.finditer(text):
        first = min(bisect_right(starts, match.start()), len(lines)) - 1
        last = min(bisect_right(starts, max(match.start(), match.end() - 1)), len(lines))
        if spans and first < spans[-1][1]:
            spans[-1] = (spans[-1][0], max(last, spans[-1][1]))
        elif first >= 0:
            spans.append((first, last))
    return spans


def _event(kind: str, line: int, text: str) -> dict[str, Any]:
    return {"type": kind, "data": {"lines": {"text": text + "\n"}, "line_number": line + 1}}
