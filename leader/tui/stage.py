"""Plays the screen without a terminal, on a client and a clock that its user moves, for tests."""

import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from swarm.leader.core.fake_client import FakeClient
from swarm.leader.tui.app import SwarmApp
from swarm.leader.tui.deck import GRACE
from swarm.leader.tui.settings import TerminalSettings

if TYPE_CHECKING:
    from textual.pilot import Pilot

START = 1_000_000.0
DEADLINE_SECONDS = 10.0


class Stage:
    """`now` drives both clocks of the app and the one of `client`, in seconds."""

    def __init__(self) -> None:
        self.now = START
        self.client = FakeClient("release-checks", clock=self.clock)
        self.app: SwarmApp
        self.pilot: Pilot[None]

    def clock(self) -> float:
        """Give the time that it is on the stage."""
        return self.now

    @asynccontextmanager
    async def run(self, width: int, height: int, **settings: bool) -> AsyncIterator["Stage"]:
        """Run the app at this size; `settings` are those of `TerminalSettings` that are flags."""
        chosen = TerminalSettings(self.clock, self.clock, **({"still": True} | settings))
        self.app = SwarmApp(self.client, chosen)
        async with self.app.run_test(size=(width, height)) as self.pilot:
            await self.pilot.pause()
            yield self

    def text(self) -> str:
        """Give the screen as plain text, without blanks at line ends."""
        strips = self.app.screen._compositor.render_strips()
        return "\n".join(strip.text.rstrip() for strip in strips)

    async def until(self, condition: Callable[[], object]) -> None:
        """Wait until `condition` holds. Raises TimeoutError with the screen after 10 s."""
        deadline = time.monotonic() + DEADLINE_SECONDS
        while not condition():
            if time.monotonic() > deadline:
                raise TimeoutError(self.text())
            await self.pilot.pause(0.005)
        await self.pilot.pause()

    async def shows(self, text: str) -> str:
        """Wait until `text` is on the screen, and give the screen."""
        await self.until(lambda: text in self.text())
        return self.text()

    async def press(self, *keys: str) -> None:
        """Press keys, each after the grace, as a person does who has read the card."""
        for key in keys:
            self.now += GRACE
            await self.pilot.press(key)
            await self.pilot.pause()
