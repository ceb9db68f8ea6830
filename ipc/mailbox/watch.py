"""Tells when something comes into a folder: by notification where there is one, else by looking often.

It reads nothing in the folder and decides nothing about what came.
"""

import select
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable
    from pathlib import Path

    from swarm.ipc.mailbox.inotify import Inotify

FAST = 0.002
IDLE = 0.5
"""Between two looks without notification: after something came, and when long nothing has. In seconds."""
_SLOWER = 1.5
SLOW = 5.0
"""Between two looks beside notification, in case one is lost. In seconds."""


class Watch:
    """Calls `callback` from the loop whenever something may have come into `folder`.

    `callback` gives whether something had: then the next look without notification comes soon.
    """

    def __init__(self, folder: "Path", callback: "Callable[[], bool]", *, notified: bool = True) -> None:
        self._folder = folder
        self._callback = callback
        self._wants_events = notified
        self._inotify: Inotify | None = None
        self._is_sure = False
        self._pause = FAST
        self._loop: asyncio.AbstractEventLoop | None = None
        self._timer: asyncio.TimerHandle | None = None

    def __repr__(self) -> str:
        how = "notified" if self.is_notified else f"looking every {self._pause:.3f} s"
        return f"<Watch {self._folder} {how}>"

    @property
    def is_notified(self) -> bool:
        """Whether the system tells of all that comes, so that looking is a mere precaution."""
        return self._inotify is not None and self._is_sure

    def attach(self, loop: "asyncio.AbstractEventLoop") -> None:
        """Begin; the first call comes at once, for what is there already."""
        self._loop = loop
        self._begin()
        self._schedule(0)

    def expect(self) -> None:
        """Look soon, since an answer may come: for where there is no notification."""
        if not self.is_notified:
            self._pause = FAST
            self._schedule(FAST)

    def wait(self, milliseconds: int) -> bool:
        """Block until something may have come, for so long at most, and tell so. Calls nobody."""
        if self._inotify is None:
            time.sleep(min(milliseconds / 1000, FAST))
            return True
        poll = select.poll()
        poll.register(self._inotify.fd, select.POLLIN)
        if not poll.poll(milliseconds):
            return not self._is_sure
        self._take_events()
        return True

    def close(self) -> None:
        """End. Idempotent."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._stop_events()
        self._loop = None

    def _begin(self) -> None:
        """Have the system tell, as far as it does."""
        if not self._wants_events or self._loop is None:
            return
        from swarm.ipc.mailbox.inotify import MOVED_TO, Inotify
        from swarm.ipc.mailbox.probe import gives_events, is_shared

        try:
            self._inotify = Inotify(self._folder, MOVED_TO)
        except OSError:
            return
        self._is_sure = gives_events(self._folder) and not is_shared(self._folder)
        self._loop.add_reader(self._inotify.fd, self._on_events)

    def _on_events(self) -> None:
        self._take_events()
        self._call()
        if not self.is_notified:
            self._schedule(self._pause)

    def _take_events(self) -> None:
        """Empty the queue of events. An overflow needs no more, since every call looks at all there is."""
        if self._inotify is None:
            return
        self._inotify.read()
        if self._inotify.is_blind:
            self._stop_events()
            self._pause = FAST
            self._schedule(FAST)

    def _stop_events(self) -> None:
        if self._inotify is not None:
            if self._loop is not None:
                self._loop.remove_reader(self._inotify.fd)
            self._inotify.close()
            self._inotify = None

    def _look(self) -> None:
        if self._inotify is None and self._pause >= IDLE:
            self._begin()  # the folder may be back
        self._call()
        if self._loop is not None:
            self._schedule(SLOW if self.is_notified else self._pause)

    def _call(self) -> None:
        came = self._loop is not None and self._callback()
        self._pause = FAST if came else min(self._pause * _SLOWER, IDLE)

    def _schedule(self, seconds: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if self._loop is not None:
            self._timer = self._loop.call_later(seconds, self._look)
