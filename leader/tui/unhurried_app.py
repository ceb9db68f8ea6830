"""A Textual application that a terminal which is not read cannot stop. Knows nothing of sessions."""

import asyncio
from typing import TYPE_CHECKING

import anyio
from textual.app import App
from textual.message import Message

from swarm.leader.tui.driver import TerminalDriver

if TYPE_CHECKING:
    from rich.console import RenderableType
    from textual.screen import Screen

CLOSE_SECONDS = 2.0
"""How long the screen may take to close when it is cancelled."""


class UnhurriedApp(App[None]):
    """Drops frames while the terminal is behind, and paints all anew once it has caught up."""

    class CaughtUp(Message):
        """The terminal has taken all that it was given."""

    def __init__(self) -> None:
        super().__init__()
        self._dropped = False

    @property
    def behind(self) -> bool:
        """Whether the person may not see what is shown."""
        return self._dropped or (isinstance(self._driver, TerminalDriver) and self._driver.behind)

    def _display(self, screen: "Screen[object]", renderable: "RenderableType | None") -> None:
        """Paint, unless the terminal would not take it."""
        driver = self._driver
        if not isinstance(driver, TerminalDriver) or not (self._dropped or driver.behind):
            super()._display(screen, renderable)
        elif not self._dropped:
            self._dropped = True
            driver.when_drained(lambda: self.post_message(self.CaughtUp()))

    def on_unhurried_app_caught_up(self) -> None:
        """Paint all, since what was dropped is not known."""
        self._dropped = False
        self.refresh()
        self.caught_up()

    def caught_up(self) -> None:
        """Called when the terminal shows again what is shown."""

    async def run_to_the_end(self) -> None:
        """Run on the terminal; raise what the screen failed with. A cancellation waits for the clean-up.

        Textual cleans up in the background when it is cancelled itself, so it has a task of its own.
        """
        running = asyncio.ensure_future(self._run_until_written())
        try:
            await asyncio.shield(running)
        except asyncio.CancelledError:
            with anyio.CancelScope(shield=True):
                await self._close_within(CLOSE_SECONDS, running)
            raise
        if self._exception is not None:
            raise self._exception

    async def _run_until_written(self) -> None:
        """Run until the terminal has its old modes back, so that nothing is printed into the screen."""
        await self.run_async()
        if isinstance(self._driver, TerminalDriver):
            loop, written = asyncio.get_running_loop(), asyncio.Event()
            self._driver.when_drained(lambda: loop.call_soon_threadsafe(written.set))
            await written.wait()

    async def _close_within(self, seconds: float, running: "asyncio.Future[None]") -> None:
        self.exit()
        await asyncio.wait({running}, timeout=seconds)
        running.cancel()
