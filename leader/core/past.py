"""Remembers the last calls of a session, so that it can be said what a rule would have let through.

Bounded in number and in size: of an input only what rules look at is kept, long texts cut.
"""

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import anyio.lowlevel

from swarm.leader.core.views import OfferPreview
from swarm.permissions.model import Request

PAST_LIMIT = 2_000
"""How many calls are remembered; the oldest is forgotten first."""
TEXT_LIMIT = 10_001
"""How many characters of a text are kept. No rule allows a longer command, so none is taken for one."""
SIZE_LIMIT = 8_000_000
"""How many characters of inputs are kept in all."""
_KEYS_LIMIT = 32
_STRETCH = 20
"""How many calls are looked at in one go."""


class PastCall(NamedTuple):
    """One call that was decided, and whether it was denied."""

    worker: str
    request: Request
    denied: bool
    size: int


class PastCalls:
    """The last calls, oldest first."""

    def __init__(self) -> None:
        self._calls: deque[PastCall] = deque()
        self._size = 0

    def __repr__(self) -> str:
        return f"<PastCalls {len(self._calls)}, {self._size} characters>"

    def remember(self, worker: str, request: Request, denied: bool) -> None:
        """Keep one decided call."""
        kept = _shortened(request.input)
        size = sum(len(value) for value in kept.values() if isinstance(value, str))
        self._calls.append(PastCall(worker, Request(request.tool, kept, request.cwd), denied, size))
        self._size += size
        while len(self._calls) > PAST_LIMIT or self._size > SIZE_LIMIT:
            self._size -= self._calls.popleft().size

    def snapshot(self) -> tuple[PastCall, ...]:
        """Give all of them as they are now."""
        return tuple(self._calls)


def _shortened(given: Mapping[str, Any]) -> dict[str, Any]:
    """Keep the plain values: rules look at no others."""
    plain = [(key, value) for key, value in given.items() if isinstance(value, str | int | float | None)]
    return {
        key[:TEXT_LIMIT]: value[:TEXT_LIMIT] if isinstance(value, str) else value
        for key, value in plain[:_KEYS_LIMIT]
    }


async def preview_of(
    past: Iterable[PastCall],
    waiting: Iterable[tuple[str, str, Request]],
    lets_through: Callable[[str, Request], bool],
) -> OfferPreview:
    """Say what a rule would have let through. `waiting` are id, worker and request of each.

    Gives way to others again and again: looking at all calls takes some tenths of a second.
    """
    looked_at = matched = denied = 0
    for call in past:
        looked_at += 1
        if lets_through(call.worker, call.request):
            matched += 1
            denied += call.denied
        if looked_at % _STRETCH == 0:
            await anyio.lowlevel.checkpoint()
    pending = []
    for name, worker, request in waiting:
        if lets_through(worker, request):
            pending.append(name)
        await anyio.lowlevel.checkpoint()
    return OfferPreview(matched, denied, tuple(pending), looked_at)
