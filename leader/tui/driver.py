"""Textual's driver of the terminal, which asks the terminal itself for its size and outlives it.

A terminal that is gone holds nothing up.
"""

import io
import os
import select
import sys
from collections.abc import Callable
from typing import Any

from textual.drivers.linux_driver import LinuxDriver


class TerminalOutput(io.RawIOBase):
    """Writes to the terminal behind `descriptor`. Once that is gone it says so, and drops all."""

    def __init__(self, descriptor: int, on_gone: Callable[[], None]) -> None:
        super().__init__()
        self._descriptor, self._on_gone = descriptor, on_gone

    def fileno(self) -> int:
        """Give the descriptor."""
        return self._descriptor

    def writable(self) -> bool:
        """Say that it takes output."""
        return True

    def write(self, data: Any, /) -> int:
        """Write what the terminal takes now and give how many bytes that were."""
        while True:
            try:
                return os.write(self._descriptor, data)
            except BlockingIOError:  # whoever shares the terminal may have made it so
                select.select((), (self._descriptor,), ())
            except OSError:
                self._on_gone()
                return memoryview(data).nbytes


class TerminalDriver(LinuxDriver):
    """Reads no more once the terminal is gone, and is set up anew only after it was suspended."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        if sys.__stderr__ is not None:
            output = TerminalOutput(sys.__stderr__.fileno(), self.exit_event.set)
            self._file = io.TextIOWrapper(
                io.BufferedWriter(output), sys.__stderr__.encoding, errors="backslashreplace", newline=""
            )

    def _get_terminal_size(self) -> tuple[int, int]:
        """Give columns and rows; COLUMNS and LINES of the environment would not follow a resize."""
        try:
            width, height = os.get_terminal_size(self.fileno)
        except OSError:
            return super()._get_terminal_size()
        return width or 80, height or 25

    def _sigcont_application(self, *_: object) -> None:
        """Come back if it was away; else the raw terminal would be taken for the original."""
        if self._must_signal_resume:
            super()._sigcont_application()
