"""Ends this process and its whole team by force, for when it cannot end in good order any more."""

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from swarm.leader.cli.door import INTERRUPTED

if TYPE_CHECKING:
    import psutil

    from swarm.leader.tui.restore import Attributes

ROUNDS = 5
"""How often the team's processes are looked for: one may start another before it dies."""


def end_by_force(session_id: str, attributes: "Attributes | None" = None) -> None:
    """Give the terminal back, kill all that the session has started, and end at once. Never returns."""
    from swarm.leader.tui.restore import restore

    try:
        if attributes is not None:
            restore(attributes)
        _say(
            f"swarm: It could not end in good order, so it was ended by force: swarm resume {session_id}\n"
        )
        for _ in range(ROUNDS):
            found = list(_team(session_id))
            for process in found:
                with suppress(Exception):
                    process.send_signal(signal.SIGKILL)
            if not found:
                break
    finally:
        os._exit(INTERRUPTED)


def _say(text: str) -> None:
    """Write to stderr unless nobody reads it."""
    with suppress(OSError):
        os.set_blocking(2, False)
        os.write(2, text.encode())


def _team(session_id: str) -> Iterator["psutil.Process"]:
    """Give every living process that this one or the session has started."""
    import psutil

    from swarm.leader.core.processes import MARK

    ours = {process.pid for process in psutil.Process().children(recursive=True)}
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if process.status() == psutil.STATUS_ZOMBIE:
                continue
            mark = process.environ().get(MARK, "")
            if process.pid in ours or mark.startswith(f"{session_id}/"):
                yield process
