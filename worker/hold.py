"""Whether the worker waits for a leader. While it does, nothing begins; what runs may end."""

import anyio


class Hold:
    """On from the loss of a leader until another goes on. `why` is empty while it is off.

    `was_on` tells that it has ever been on.
    """

    def __init__(self) -> None:
        self.why = ""
        self.was_on = False
        self._ended = anyio.Event()

    def __repr__(self) -> str:
        return f"<Hold {self.why or 'off'}>"

    @property
    def is_on(self) -> bool:
        """Whether there is no leader now."""
        return bool(self.why)

    def begin(self, why: str) -> None:
        """Let nothing begin from now on."""
        self.why = why or "the leader is gone"
        self.was_on = True

    def end(self) -> None:
        """Let everything go on."""
        self.why = ""
        ended, self._ended = self._ended, anyio.Event()
        ended.set()

    async def over(self) -> None:
        """Wait until it is off; at once if it is. Nothing is awaited between its end and the return."""
        while self.why:
            await self._ended.wait()
