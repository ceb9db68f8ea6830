"""Textual's driver of the terminal, which asks the terminal itself for its size and outlives it.

A terminal that is gone, or open but not read, holds nothing up.
"""

import os
import sys
import termios
from collections.abc import Callable
from contextlib import suppress
from threading import Event
from typing import Any

from textual.drivers.linux_driver import LinuxDriver

from swarm.leader.tui.terminal_writer import TerminalWriter

GIVE_BACK_SECONDS = 1.0
"""How long a terminal that is given back may take to take its modes, in seconds."""


class TerminalDriver(LinuxDriver):
    """Reads no more once the terminal is gone, and is set up anew only after it was suspended."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        stream = sys.__stderr__ or sys.__stdout__
        self._output = TerminalWriter(stream.fileno() if stream else self.fileno, self.exit_event.set)

    def start_application_mode(self) -> None:
        """Take the terminal, without what was typed before there was a screen to type at."""
        with suppress(termios.error, OSError):
            termios.tcflush(self.fileno, termios.TCIFLUSH)
        super().start_application_mode()  # type: ignore[no-untyped-call]  # Textual gives it no types

    @property
    def behind(self) -> bool:
        """Whether the terminal doesn't take what it is given, so that the person may not see it."""
        return self._output.behind

    def when_drained(self, call: Callable[[], object]) -> None:
        """Call `call` once, from any thread, as soon as the terminal has taken all."""
        self._output.when_drained(call)

    def write(self, data: str) -> None:
        """Hand on to the terminal, without ever waiting for it as Textual's own thread makes one wait."""
        self._output.write(data)

    def _get_terminal_size(self) -> tuple[int, int]:
        """Give columns and rows; COLUMNS and LINES of the environment would not follow a resize."""
        try:
            width, height = os.get_terminal_size(self.fileno)
        except OSError:
            return super()._get_terminal_size()
        return width or 80, height or 25

    def suspend_application_mode(self) -> None:
        """Give the terminal back and wait until it has taken that: the next step stops this process."""
        super().suspend_application_mode()
        taken = Event()
        self.when_drained(taken.set)
        taken.wait(GIVE_BACK_SECONDS)

    def _sigcont_application(self, *_: object) -> None:
        """Come back if it was away; else the raw terminal would be taken for the original."""
        if self._must_signal_resume:
            super()._sigcont_application()
