"""Ends what the worker started and did not end itself. Only for when there is no time to ask."""

import contextlib
import os
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import psutil

MARK = "SWARM_TREE"
"""The environment variable by which every process of a worker's tree is known, whoever its parent is."""
_ROUNDS = 20
_ROUND = 0.05


def kill_tree() -> int:
    """Kill every other process of this worker's tree, until none lives, and give how many there were.

    Those are the ones below it, of the session that it leads, and with its mark. What cannot be killed
    holds it for a second at most.
    """
    import psutil  # loaded only when it is needed: it costs memory in each worker

    killed: set[int] = set()
    for round_number in range(_ROUNDS):
        if round_number:
            time.sleep(_ROUND)
        living = _living()
        if not living:
            break
        for process in living:
            killed.add(process.pid)
            with contextlib.suppress(psutil.Error):  # it is gone, or not ours to kill
                process.kill()
    return len(killed)


def _living() -> "list[psutil.Process]":
    import psutil

    own, mark = os.getpid(), os.environ.get(MARK, "")
    below = {process.pid for process in psutil.Process().children(recursive=True)}
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            belongs = process.pid in below or os.getsid(process.pid) == own or _is_marked(process, mark)
            if belongs and process.pid != own and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
    return found


def _is_marked(process: "psutil.Process", mark: str) -> bool:
    return bool(mark) and process.environ().get(MARK) == mark
