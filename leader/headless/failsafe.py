"""Ends a program that cannot end by itself any more after a signal, as when its event loop hangs.

Arms itself in the signal handler, which runs even where the loop does not, and counts in a thread.
"""

import signal
import threading
import time
from collections.abc import Callable, Iterable
from types import FrameType, TracebackType
from typing import Any, NamedTuple


class Stage(NamedTuple):
    """One part of an end, and how long it may take, in seconds."""

    what: str
    limit: float


CLEAN_UP = Stage("sockets, locks and folders are given back", 2.0)
OUTPUT = Stage("output and journal are written out", 0.5)
IN_ORDER = (
    Stage("the workers end by themselves", 5.0),
    Stage("what is left of their trees is ended", 2.5),
    CLEAN_UP,
    OUTPUT,
)
"""What follows the first signal. A screen shows it; the terminal has its modes back before OUTPUT."""
AT_ONCE = (Stage("all trees are killed", 2.0), CLEAN_UP, OUTPUT)
"""What follows the second signal, or SIGQUIT."""
SPARE = 3.5
"""Seconds that all may take longer than planned before the end is forced, on a machine that is busy."""

FIRST_LIMIT = sum(stage.limit for stage in IN_ORDER) + SPARE
"""Seconds from the first signal to the forced end."""
AGAIN_LIMIT = sum(stage.limit for stage in AT_ONCE) + SPARE
"""Seconds from the second signal to it."""
HANG_LIMIT = 3.5
"""Seconds without a beat of the event loop after which it counts as hung, once a signal has come."""
_LOOK = 0.25


class Armed(NamedTuple):
    """When the first and the second signal came, and the last beat, on one clock in seconds."""

    first: float
    again: float | None
    beat: float


def is_due(armed: Armed, now: float) -> bool:
    """Say whether the end has to be forced now."""
    hung = now - max(armed.beat, armed.first) > HANG_LIMIT
    over = now - armed.first > FIRST_LIMIT
    return hung or over or (armed.again is not None and now - armed.again > AGAIN_LIMIT)


class Failsafe:
    """Watches over the end while its context is open. `end` must not return; it is called in a thread.

    Enter it in the main thread, after the event loop has taken the signals: the loop hears of each as
    before. `beat` has to be called from the loop at least once a second. A signal that `spares` tells to
    mean no end arms nothing.
    """

    def __init__(
        self,
        signals: Iterable[signal.Signals],
        end: Callable[[], None],
        spares: Callable[[int], bool] = lambda number: False,
    ) -> None:
        self._signals = tuple(signals)
        self._end = end
        self._spares = spares
        self._beat = time.monotonic()
        self._first: float | None = None
        self._again: float | None = None
        self._before: dict[int, Any] = {}
        self._over = threading.Event()

    def __repr__(self) -> str:
        return f"<Failsafe first={self._first} again={self._again}>"

    def beat(self) -> None:
        """Tell that the event loop runs."""
        self._beat = time.monotonic()

    def __enter__(self) -> "Failsafe":
        for number in self._signals:
            self._before[number] = signal.signal(number, self._signalled)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        for number, handler in self._before.items():
            if signal.getsignal(number) == self._signalled:
                signal.signal(number, handler)

    def _signalled(self, number: int, frame: FrameType | None) -> None:
        if self._spares(number):
            return
        now = time.monotonic()
        if self._again is None and (self._first is not None or number == signal.SIGQUIT):
            self._again = now
        if self._first is None:
            self._first = now
            threading.Thread(target=self._count, name="failsafe", daemon=True).start()

    def _count(self) -> None:
        while not self._over.wait(_LOOK):
            assert self._first is not None
            if is_due(Armed(self._first, self._again, self._beat), time.monotonic()):
                self._end()
                return
