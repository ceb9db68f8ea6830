"""Writes to a terminal in a thread of its own, so that one that is not read holds nobody up.

It takes all text at once and in order, and tells how far it is behind. It drops nothing by itself.
"""

import os
import select
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress

CHUNK = 4096
"""Bytes that are written at once, so that a slow terminal is seen to make progress."""

FULL = 1 << 16
"""Unwritten bytes from which on it is behind, however fast the terminal is."""

LATE = 0.2
"""Seconds for which the terminal may take nothing until it is behind."""


class TerminalWriter:
    """Serves as the text file of the terminal behind `descriptor`. Once that is gone, all is dropped.

    `on_gone` is called from the thread, when the terminal is found to be gone.
    """

    def __init__(self, descriptor: int, on_gone: Callable[[], None]) -> None:
        self._descriptor, self._on_gone = descriptor, on_gone
        self._changed = threading.Condition()
        self._waiting: deque[bytes] = deque()
        self._unwritten = 0
        self._stuck_since = 0.0
        self._drained: list[Callable[[], object]] = []
        self._gone = False
        threading.Thread(target=self._run, name="terminal-writer", daemon=True).start()

    def __repr__(self) -> str:
        return f"<TerminalWriter unwritten={self._unwritten} gone={self._gone}>"

    def fileno(self) -> int:
        """Give the descriptor."""
        return self._descriptor

    def write(self, text: str) -> int:
        """Take text to be written; never waits. Gives the number of its characters."""
        data = text.encode("utf-8", errors="backslashreplace")
        with self._changed:
            if data and not self._gone:
                if not self._unwritten:
                    self._stuck_since = time.monotonic()
                self._waiting.append(data)
                self._unwritten += len(data)
                self._changed.notify()
        return len(text)

    def flush(self) -> None:
        """Do nothing: what was taken is written as soon as the terminal takes it."""

    @property
    def behind(self) -> bool:
        """Whether the terminal doesn't keep up: it takes nothing for a while, or there is too much."""
        with self._changed:
            late = self._unwritten > 0 and time.monotonic() - self._stuck_since > LATE
            return late or self._unwritten > FULL

    def when_drained(self, call: Callable[[], object]) -> None:
        """Call `call` once, from the thread, as soon as all is written; at once if it is."""
        with self._changed:
            if self._unwritten:
                self._drained.append(call)
                return
        call()

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting)
                data = self._waiting.popleft()
            for start in range(0, len(data), CHUNK):
                self._put(data[start : start + CHUNK])
            for call in self._take_drained():
                with suppress(RuntimeError):  # the loop of whoever waited has ended
                    call()

    def _put(self, chunk: bytes) -> None:
        left = memoryview(chunk)
        while left and not self._gone:
            try:
                left = left[os.write(self._descriptor, left) :]
            except BlockingIOError:  # whoever shares the terminal may have made it so
                select.select((), (self._descriptor,), ())
            except OSError:
                self._gone = True
                self._on_gone()
        with self._changed:
            self._unwritten -= len(chunk)
            self._stuck_since = time.monotonic()

    def _take_drained(self) -> list[Callable[[], object]]:
        with self._changed:
            if self._unwritten:
                return []
            drained, self._drained = self._drained, []
            return drained
