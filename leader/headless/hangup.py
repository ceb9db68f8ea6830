"""Tells a terminal that is gone from a signal that merely says so, and lets go of what is left of it."""

import os
import termios
from collections.abc import Sequence
from contextlib import suppress

STANDARD = (0, 1, 2)


class Hangup:
    """The terminals that this process began with, by descriptor."""

    def __init__(self, descriptors: Sequence[int] = STANDARD) -> None:
        self._terminals = [descriptor for descriptor in descriptors if _is_there(descriptor)]

    def __repr__(self) -> str:
        return f"<Hangup terminals={self._terminals}>"

    @property
    def has_come(self) -> bool:
        """Whether a terminal that was there is gone: its window was closed, its connection lost."""
        return any(not _is_there(descriptor) for descriptor in self._terminals)

    def let_go(self) -> None:
        """Point what was a terminal at nothing, so that reading ends and writing fails no more."""
        nothing = os.open(os.devnull, os.O_RDWR)
        for descriptor in self._terminals:
            with suppress(OSError):
                os.dup2(nothing, descriptor)
        os.close(nothing)
        self._terminals = []


def _is_there(descriptor: int) -> bool:
    try:
        termios.tcgetattr(descriptor)
    except (termios.error, OSError):
        return False
    return True
