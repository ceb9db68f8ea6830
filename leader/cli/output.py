"""The only place that prints. Output goes to stdout, messages to stderr; neither is ever in the other."""

import os
import select
import shutil
import sys
import threading
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import TextIO

CHUNK = 4096
"""Bytes that a pipe takes at once if it takes any."""
LOOK = 0.1
"""Seconds after which a printer that waits for a reader looks whether it still has to."""


def line(text: str = "") -> None:
    """Print one line of output. Raises BrokenPipeError if nobody reads."""
    print(text)


def lines(texts: Iterable[str]) -> None:
    """Print lines of output."""
    for text in texts:
        print(text)


def message(text: str) -> None:
    """Print a message to the person; if stderr is gone, nobody is there to be told."""
    try:
        print(text, file=sys.stderr, flush=True)
    except (OSError, ValueError):
        return


def passing_message(text: str) -> None:
    """Print a message unless stderr takes none just now: for where nothing may wait, as an event loop."""
    descriptor = _descriptor_of(sys.stderr)
    if descriptor is None or _takes(descriptor, 0.0):
        message(text)


def _descriptor_of(stream: TextIO | None) -> int | None:
    try:
        return None if stream is None else stream.fileno()
    except (OSError, ValueError):
        return None


def _takes(descriptor: int, seconds: float) -> bool:
    """Say whether a pipe or terminal takes CHUNK bytes without a wait, or does so within `seconds`."""
    return bool(select.select((), (descriptor,), (), seconds)[1])


def colors_wanted(environment: Mapping[str, str], is_terminal: bool) -> bool:
    """Say whether output may be coloured: on a terminal that can, and where NO_COLOR does not forbid it."""
    return is_terminal and not environment.get("NO_COLOR") and environment.get("TERM") != "dumb"


def painted(styled_lines: Iterable[Sequence[tuple[str, str]]]) -> None:
    """Print lines of (text, style) pieces, in colour where that is wanted. The text must be harmless."""
    if not colors_wanted(os.environ, is_terminal(sys.stdout)):
        for pieces in styled_lines:
            print("".join(text for text, _ in pieces))
        return
    from rich.color import ColorSystem
    from rich.style import Style

    true_color = os.environ.get("COLORTERM") in ("truecolor", "24bit")
    system = ColorSystem.TRUECOLOR if true_color else ColorSystem.EIGHT_BIT
    for pieces in styled_lines:
        print("".join(Style.parse(style).render(text, color_system=system) for text, style in pieces))


def json_line(value: object) -> None:
    """Print a value as JSON on one line, in plain ASCII, so that no byte of it moves a terminal."""
    import json

    print(json.dumps(value).replace("\x7f", "\\u007f"))


def is_terminal(*streams: TextIO | None) -> bool:
    """Say whether all of the streams are open and a terminal."""
    return all(stream is not None and not stream.closed and stream.isatty() for stream in streams)


def width() -> int:
    """Give how many columns a line of output may have; unlimited (10,000) where it is no terminal."""
    return shutil.get_terminal_size().columns if is_terminal(sys.stdout) else 10_000


def row(text: str) -> None:
    """Print one line of a table, cut to the terminal's width. The text must be harmless."""
    columns = width()
    if len(text) * 2 > columns:
        from swarm.leader.hostile import clip

        text = clip(text, columns)
    print(text)


def flush() -> None:
    """Hand on what was printed. Raises BrokenPipeError if nobody reads."""
    if sys.stdout is not None:
        sys.stdout.flush()


class StdoutPrinter:
    """Writes whole lines to stdout. When nobody reads any more it says so once and drops the rest.

    A reader that is slow is waited for, until `give_up`.
    """

    def __init__(self) -> None:
        self._gone = False
        self._given_up = threading.Event()
        self._lock = threading.Lock()

    def write(self, text: str) -> None:
        """Write whole lines."""
        with self._lock:
            if self._gone:
                return
            try:
                self._write(text)
            except (OSError, ValueError):
                self._gone = True
                drop_stdout()
                passing_message("Nobody reads the output any more. The run goes on without it.")

    def _write(self, text: str) -> None:
        descriptor = _descriptor_of(sys.stdout)
        if descriptor is None:
            print(text, end="", flush=True)
            return
        left = memoryview(text.encode(sys.stdout.encoding, errors="backslashreplace"))
        while left and not self._given_up.is_set():
            if _takes(descriptor, LOOK):
                with suppress(BlockingIOError):  # another was quicker, where several write to it
                    left = left[os.write(descriptor, left[:CHUNK]) :]

    def message(self, text: str) -> None:
        """Write a message, unless stderr takes none."""
        passing_message(text)

    def give_up(self) -> None:
        """Wait for no reader any more."""
        self._given_up.set()


def drop_stdout() -> None:
    """Point stdout at nothing, so that what it still holds raises nothing when the program ends."""
    try:
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, sys.stdout.fileno())
        os.close(nothing)
    except (OSError, ValueError):
        return
