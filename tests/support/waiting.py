"""Waiting for conditions in tests: never for a time, always with a deadline."""

import time
from collections.abc import Callable

import anyio

DEADLINE = 20.0  # seconds; generous, since it is only reached when a test fails


async def until(condition: Callable[[], object], limit: float = DEADLINE) -> None:
    """Wait in an event loop until `condition` holds, or fail after `limit` seconds."""
    with anyio.fail_after(limit):
        while not condition():
            await anyio.sleep(0.001)


def wait_until(condition: Callable[[], object], limit: float = DEADLINE) -> None:
    """Wait without an event loop until `condition` holds, or fail after `limit` seconds."""
    end = time.monotonic() + limit
    while not condition():
        assert time.monotonic() < end, f"it did not come true within {limit:g} s"
        time.sleep(0.005)
