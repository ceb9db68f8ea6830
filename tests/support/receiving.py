"""A receiver for tests that notes what comes and lets them wait for it."""

import asyncio
from collections.abc import Callable

from swarm.ipc.channel import Unreadable
from swarm.ipc.messages import AnyMessage


class Notes:
    """Notes all that a channel brings. `on_message` is called with each message."""

    def __init__(self, on_message: Callable[[AnyMessage], object] | None = None) -> None:
        self.messages: list[AnyMessage] = []
        self.faults: list[Unreadable] = []
        self.handled: list[AnyMessage] = []
        self.ends: list[str] = []
        self._on_message = on_message
        self._changed = asyncio.Event()

    def message(self, message: AnyMessage) -> None:
        self.messages.append(message)
        self._changed.set()
        if self._on_message is not None:
            self._on_message(message)

    def unreadable(self, report: Unreadable) -> None:
        self.faults.append(report)
        self._changed.set()

    def acknowledged(self, message: AnyMessage) -> None:
        self.handled.append(message)
        self._changed.set()

    def closed(self, why: str) -> None:
        self.ends.append(why)
        self._changed.set()

    async def until(self, condition: Callable[["Notes"], object], limit: float = 10.0) -> None:
        """Wait until `condition` holds for these notes; fails after `limit` seconds."""
        async with asyncio.timeout(limit):
            while not condition(self):
                self._changed.clear()
                await self._changed.wait()

    async def until_closed(self) -> str:
        """Wait for the end and give the reason."""
        await self.until(lambda notes: notes.ends)
        return self.ends[0]
