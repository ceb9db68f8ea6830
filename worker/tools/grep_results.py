"""Turns the events of a search into the lines that an agent reads, up to a cap. Pure."""

import base64
from collections.abc import Callable
from typing import Any, Literal

import orjson

from swarm.worker.tools.glob_pattern import GlobPattern
from swarm.worker.tools.output_tail import OUTPUT_CAP
from swarm.worker.tools.titles import counted

OutputMode = Literal["content", "files_with_matches", "count"]
LINE_CAP = 2_000
_MATCH = b'{"type":"match"'


def glob_filter(glob: str | None) -> Callable[[str], bool]:
    """Give the test of a relative path: without a slash a glob holds at any depth, `!` turns it around."""
    if not glob:
        return lambda path: True
    wanted = not glob.startswith("!")
    bare = glob.removeprefix("!")
    pattern = GlobPattern(bare if "/" in bare else f"**/{bare}", sees_hidden=True)
    return lambda path: pattern.matches(path) is wanted


class GrepResults:
    """Collects the matches file by file, so that a file that turns out to be binary can be dropped.

    `is_wanted` is asked of each path, `name` gives how it is shown.
    """

    def __init__(
        self,
        mode: OutputMode,
        with_numbers: bool,
        with_context: bool,
        limit: int | None,
        is_wanted: Callable[[str], bool],
        name: Callable[[str], str],
    ) -> None:
        self._mode = mode
        self._with_numbers = with_numbers
        self._with_context = with_context
        self._limit = limit
        self._is_wanted = is_wanted
        self._name = name
        self._open: list[str] = []
        self._begin("")
        self._size = 0
        self.lines: list[str] = []
        self.matches = 0
        self.is_cut = False

    def take(self, line: bytes) -> bool:
        """Take one event as ripgrep's `--json` gives it, and tell whether there is room for more."""
        if self._only_counts and line.startswith(_MATCH):
            self._count += 1
            return True
        event: dict[str, Any] = orjson.loads(line)
        data = event["data"]
        match event["type"]:
            case "begin":
                self._begin(_text(data["path"]))
            case "match" | "context" as kind:
                self._add(kind == "match", data["line_number"], _text(data["lines"]))
            case "end":
                self._count *= data.get("binary_offset") is None  # nothing is shown of a binary file
                self.finish()
        return not self.is_cut

    def finish(self) -> None:
        """Take over what was found in the file that is open."""
        if self._count and self._wanted:
            self.matches += self._count
            entries = {"content": self._open, "count": [f"{self._shown}:{self._count}"]}
            for entry in entries.get(self._mode, [self._shown]):
                self._keep(entry)
        self._begin("")

    @property
    def _only_counts(self) -> bool:
        """Whether more matches of this file are of no interest beyond their number."""
        return self._mode != "content" or not self._wanted or self._open_size > OUTPUT_CAP

    def _begin(self, path: str) -> None:
        self._open, self._open_size, self._count, self._last_line = [], 0, 0, 0
        self._wanted = bool(path) and self._is_wanted(path)
        self._shown = self._name(path) if self._wanted else ""

    def _add(self, is_match: bool, number: int, text: str) -> None:
        self._count += is_match
        if self._only_counts:
            return
        if self._with_context and self._open and number > self._last_line + 1:
            self._open.append("--")
        mark = ":" if is_match else "-"
        for line_number, line in enumerate(text.removesuffix("\n").split("\n"), number):
            place = (
                f"{self._shown}{mark}{line_number}{mark}" if self._with_numbers else f"{self._shown}{mark}"
            )
            self._open.append(place + _cut(line.removesuffix("\r")))
            self._open_size += len(self._open[-1]) + 1
            self._last_line = line_number
            if self._open_size > OUTPUT_CAP:
                break

    def _keep(self, entry: str) -> None:
        is_full = self._limit is not None and len(self.lines) >= self._limit
        if is_full or self._size + len(entry) + 1 > OUTPUT_CAP:
            self.is_cut = True
        if not self.is_cut:
            self.lines.append(entry)
            self._size += len(entry) + 1


def _text(value: dict[str, str]) -> str:
    if "text" in value:
        return value["text"]
    return base64.b64decode(value["bytes"]).decode("utf-8", "replace")


def _cut(line: str) -> str:
    return line[:LINE_CAP] + (
        f" … ({counted(len(line) - LINE_CAP, 'more character')})" if len(line) > LINE_CAP else ""
    )
