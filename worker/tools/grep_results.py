"""Turns the events of a search into the lines that an agent reads, up to a cap. Pure."""

import base64
from collections.abc import Callable
from typing import Any, Literal

import msgspec

from swarm.worker.tools.glob_pattern import GlobPattern
from swarm.worker.tools.output_tail import OUTPUT_CAP

OutputMode = Literal["content", "files_with_matches", "count"]
LINE_CAP = 2_000


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
        self._path = ""
        self._count = 0
        self._open: list[str] = []
        self._open_size = 0
        self._last_line = 0
        self._size = 0
        self.lines: list[str] = []
        self.matches = 0
        self.is_cut = False

    def take(self, line: bytes) -> bool:
        """Take one event as ripgrep's `--json` gives it, and tell whether there is room for more."""
        event: dict[str, Any] = msgspec.json.decode(line)
        data = event["data"]
        match event["type"]:
            case "match" | "context" as kind:
                self._add(kind == "match", _text(data["path"]), data["line_number"], _text(data["lines"]))
            case "end" if data.get("binary_offset") is not None:
                self._forget()
        return not self.is_cut

    def finish(self) -> None:
        """Close the last file."""
        self._close()

    def _add(self, is_match: bool, path: str, number: int, text: str) -> None:
        if path != self._path:
            self._close()
            self._path = path
        if not self._is_wanted(path):
            return
        self._count += is_match
        if self._mode == "content":
            self._add_lines(":" if is_match else "-", number, text)

    def _add_lines(self, mark: str, number: int, text: str) -> None:
        if self._has_gap(number):
            self._open.append("--")
        name = self._name(self._path)
        for offset, line in enumerate(text.removesuffix("\n").split("\n")):
            place = f"{name}{mark}{number + offset}{mark}" if self._with_numbers else f"{name}{mark}"
            self._last_line = number + offset
            if self._open_size <= OUTPUT_CAP:  # one entry above the cap is enough to be told of as cut
                self._open.append(place + _cut(line.removesuffix("\r")))
                self._open_size += len(self._open[-1]) + 1

    def _has_gap(self, number: int) -> bool:
        return self._with_context and bool(self._open) and number > self._last_line + 1

    def _close(self) -> None:
        if self._count:
            self.matches += self._count
            name = self._name(self._path)
            entries = {"content": self._open, "count": [f"{name}:{self._count}"]}.get(self._mode, [name])
            for entry in entries:
                self._keep(entry)
        self._forget()

    def _forget(self) -> None:
        self._open, self._open_size, self._count, self._last_line = [], 0, 0, 0

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
        f" … ({len(line) - LINE_CAP:,} more characters)" if len(line) > LINE_CAP else ""
    )
