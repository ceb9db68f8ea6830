"""What signals do to a run: the first stops the team in good order, the next ends it at once."""

import signal
from collections.abc import Callable

import anyio
from anyio.abc import TaskStatus

from swarm.leader.core.client import Client


class Stopper:
    """Watches for signals while it runs. `asked` is set by the first one.

    `say` may be changed while it watches, so that it can outlive the front end that it began with.
    """

    def __init__(self, client: Client, say: Callable[[str], None]) -> None:
        self._client = client
        self.say = say
        self.asked = anyio.Event()

    async def watch(self, *, task_status: TaskStatus[None] = anyio.TASK_STATUS_IGNORED) -> None:
        """Stop the team when a signal comes; run until cancelled. Started when it watches."""
        with anyio.open_signal_receiver(*_ending_signals()) as received:
            task_status.started()
            async for number in received:
                name = signal.Signals(number).name
                if self.asked.is_set():
                    self.say(f"{name}: ending every process of the team now.")
                    await self._client.stop_now()
                else:
                    self.say(f"{name}: stopping the team in good order; again ends it at once.")
                    self.asked.set()
                    await self._client.stop()


def _ending_signals() -> tuple[signal.Signals, ...]:
    """Give the signals that end a run; one that is ignored (as by nohup) stays ignored."""
    ending = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    return tuple(number for number in ending if signal.getsignal(number) is not signal.SIG_IGN)
