"""Strikes inside of a process under trial: kills by SIGKILL at one crossing of one place, just once."""

import os
import signal
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import wraps
from pathlib import Path
from typing import Any

FOLDER = "CRASH_FOLDER"
"""The variable that names the trial's folder, where each process leaves its pid."""
POINT = "CRASH_POINT"
"""The variable that says where to strike: `place side crossing victim`."""

_PARTIES = {
    "leader": ("leader",),
    "worker": ("worker",),
    "both": ("worker", "leader"),
    "channel": ("relay",),
}
_counts: dict[str, int] = {}


def folder() -> Path:
    """Give the trial's folder."""
    return Path(os.environ[FOLDER])


def leave_pid(party: str) -> None:
    """Let others find this process."""
    note_pid(party, os.getpid())


def note_pid(party: str, pid: int) -> None:
    """Say which process is `party` now."""
    temporary = folder() / f".{party}.{os.getpid()}"
    temporary.write_text(str(pid))
    temporary.replace(folder() / f"{party}.pid")


def cross(place: str, side: str) -> None:
    """Take note that a place is crossed, and strike if this is the point."""
    wanted_place, wanted_side, crossing, victim = os.environ[POINT].split()
    if (place, side) != (wanted_place, wanted_side):
        return
    _counts[place] = _counts.get(place, 0) + 1
    if _counts[place] == int(crossing):
        _strike(victim)


def _strike(victim: str) -> None:
    with suppress(FileExistsError):
        (folder() / "struck").touch(exist_ok=False)
        files = [folder() / f"{party}.pid" for party in _PARTIES[victim]]
        pids = [int(file.read_text()) for file in files if file.exists()]
        for pid in sorted(pids, key=lambda pid: pid == os.getpid()):  # itself last
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            _await_death(pid)


def _await_death(pid: int) -> None:
    """Go on only when the process can do nothing more."""
    end = time.monotonic() + 10
    while time.monotonic() < end:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return
        if state in "ZX":
            return


def crossing(place: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Give `function` with a crossing on both sides."""

    @wraps(function)
    def crossed(*arguments: Any, **options: Any) -> Any:
        cross(place, "before")
        result = function(*arguments, **options)
        cross(place, "after")
        return result

    return crossed


def crossing_async(place: str, function: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    """Give the coroutine function with a crossing on both sides."""

    @wraps(function)
    async def crossed(*arguments: Any, **options: Any) -> Any:
        cross(place, "before")
        result = await function(*arguments, **options)
        cross(place, "after")
        return result

    return crossed


def crossing_named(function: Callable[..., Any], place_of: Callable[..., str]) -> Callable[..., Any]:
    """Give `function` with a crossing whose place depends on what it is called with; empty means none."""

    @wraps(function)
    def crossed(*arguments: Any, **options: Any) -> Any:
        place = place_of(*arguments, **options)
        if not place:
            return function(*arguments, **options)
        return crossing(place, function)(*arguments, **options)

    return crossed
