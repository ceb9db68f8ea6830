"""Puts a terminal back in order: line discipline, screen, cursor, mouse. Writes synchronously."""

import os
import sys
import termios
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TypeAlias

MODES_OFF = (
    "\x1b[?2026l"  # synchronised output
    "\x1b[?1000l\x1b[?1003l\x1b[?1015l\x1b[?1006l"  # mouse
    "\x1b[?2004l\x1b[?2048l\x1b[?1004l"  # bracketed paste, resize reports, focus reports
    "\x1b[<u"  # keyboard protocol
    "\x1b[?7h\x1b[?1049l\x1b[?25h\x1b[0m"  # line wrap, main screen, cursor, plain style
)
"""Turns off all that the screen turns on. Harmless where it is off already."""

UNREAD_SECONDS = 1.0
"""How long a terminal that is not read is waited for."""

STDIN, STDERR = 0, 2

Attributes: TypeAlias = list[int | list[bytes | int]]


@contextmanager
def saved_terminal() -> Iterator[None]:
    """Keep the terminal's settings for the time of the context and restore them if it ends badly."""
    attributes = terminal_attributes()
    try:
        yield
    except BaseException:
        restore(attributes)
        raise


def terminal_attributes() -> Attributes | None:
    """Give the terminal's settings as they are; None without a terminal."""
    try:
        return termios.tcgetattr(STDIN)
    except (termios.error, OSError):
        return None


def restore(attributes: Attributes | None = None) -> None:
    """Restore the terminal at once, or once it is read again; that is not waited for.

    Raises nothing: it is called on the way out of a failure.
    """
    if attributes is not None:
        with suppress(termios.error, OSError):
            termios.tcsetattr(STDIN, termios.TCSANOW, attributes)
    if sys.stderr is not None and os.isatty(STDERR):
        writing = threading.Thread(target=_write_modes, daemon=True)
        writing.start()
        writing.join(UNREAD_SECONDS)


def _write_modes() -> None:
    with suppress(OSError):
        os.write(STDERR, MODES_OFF.encode())
