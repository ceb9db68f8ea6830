"""What signals do to a run: the first stops the team in good order, the next, or SIGQUIT, ends it at once.

A terminal that is gone is no wish to stop: a run that waits for a person goes on without it.
"""

import signal
from collections.abc import Callable

import anyio
from anyio.abc import TaskStatus

from swarm.leader.core.client import BY_A_PERSON, Client
from swarm.leader.headless.failsafe import Failsafe
from swarm.leader.headless.hangup import Hangup

BEAT = 0.5
"""Seconds between two beats that show that the event loop runs."""


class Stopper:
    """Watches for signals while it runs. `asked` is set by the first one that means an end.

    `say` may be changed while it watches, so that it can outlive the front end that it began with.
    With `outlives_terminal`, `hung_up` is set instead where the terminal is gone, and nothing is stopped;
    without it that stops the team once, however often it is told.
    `last_resort` ends the program if it cannot end in good order; it does not return.
    """

    def __init__(
        self,
        client: Client,
        say: Callable[[str], None],
        *,
        outlives_terminal: bool = False,
        last_resort: Callable[[], None] | None = None,
    ) -> None:
        self._client = client
        self._last_resort = last_resort
        self.say = say
        self.asked = anyio.Event()
        self.hung_up = anyio.Event()
        self._outlives_terminal = outlives_terminal
        self._hangup = Hangup()
        self._hangups = 0
        self._gone = False

    async def watch(self, *, task_status: TaskStatus[None] = anyio.TASK_STATUS_IGNORED) -> None:
        """Stop the team when a signal comes; run until cancelled. Started when it watches."""
        with anyio.open_signal_receiver(*_ending_signals()) as received, self._watched_over() as failsafe:
            async with anyio.create_task_group() as beating:
                beating.start_soon(_beat, failsafe)
                task_status.started()
                async for number in received:
                    await self._take(signal.Signals(number))

    async def _take(self, number: signal.Signals) -> None:
        told_before, hung_up = self._gone, number == signal.SIGHUP and self._is_gone()
        if hung_up and (self._outlives_terminal or told_before):
            self.hung_up.set()
        elif self.asked.is_set() or number == signal.SIGQUIT:
            self.asked.set()
            self.say(f"{number.name}: ending every process of the team now.")
            await self._client.stop_now()
        else:
            self.say(f"{number.name}: stopping the team in good order; again ends it at once.")
            self.asked.set()
            await self._client.stop(why=self._reason(number))

    def _reason(self, number: signal.Signals) -> str:
        """Say why the team ends, as it is kept; a terminal that is gone is no person."""
        if number == signal.SIGHUP and self._gone:
            return "its terminal was closed, and nobody was to be waited for"
        return BY_A_PERSON if number == signal.SIGINT else f"{number.name} stopped it"

    def _watched_over(self) -> Failsafe:
        """Give what ends the program if this cannot; nothing is watched over without a last resort."""
        watched = _ending_signals() if self._last_resort else ()
        return Failsafe(watched, self._last_resort or _never, self._means_no_end)

    def _means_no_end(self, number: int) -> bool:
        if number != signal.SIGHUP or not (self._gone or self._hangup.has_come):
            return False
        self._hangups += 1
        return self._outlives_terminal or self._hangups > 1

    def _is_gone(self) -> bool:
        """Whether the terminal is gone. The system says so more than once, and so does the shell."""
        if self._hangup.has_come:
            self._hangup.let_go()
            self._gone = True
        return self._gone


async def _beat(failsafe: Failsafe) -> None:
    while True:
        failsafe.beat()
        await anyio.sleep(BEAT)


def _never() -> None:
    """Stand for a last resort that is never needed: nothing arms it."""


def _ending_signals() -> tuple[signal.Signals, ...]:
    """Give the signals that end a run; one that is ignored (as by nohup) stays ignored."""
    ending = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
    return tuple(number for number in ending if signal.getsignal(number) is not signal.SIG_IGN)
