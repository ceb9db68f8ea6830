"""Shows a session without a terminal: tells what happens, and how it ended."""

import json
from collections.abc import Awaitable, Callable, Collection, Iterator
from typing import Protocol

import anyio
import anyio.to_thread
import msgspec

from swarm.leader.core.client import Client
from swarm.leader.headless.events import AnyHeadlessEvent
from swarm.leader.headless.failsafe import OUTPUT
from swarm.leader.headless.follower import Follower
from swarm.leader.headless.lines import Lines
from swarm.leader.headless.signals import Stopper
from swarm.leader.headless.summary import summary_lines
from swarm.leader.headless.teller import Teller, summarize
from swarm.leader.session.chain import Record
from swarm.leader.session.journal import Journal

INTERRUPTED = 130


class Printer(Protocol):
    """Where lines go. May block; `write` is called from a thread."""

    def write(self, text: str) -> None:
        """Write whole lines. Never raises: what nobody reads is dropped."""

    def message(self, text: str) -> None:
        """Write a line that is not output. Never waits for a reader."""

    def give_up(self) -> None:
        """Drop what nobody has read so far, and all that follows; a `write` that waits returns."""


class Telling(Protocol):
    """How events become text."""

    def say(self, event: AnyHeadlessEvent) -> Iterator[str]:
        """Give the lines of one event."""

    def finish(self, at: float) -> Iterator[str]:
        """Give what is left at the end."""


class JsonLines:
    """Says each event as one JSON object on one line, in plain ASCII, so that no byte moves a terminal."""

    def say(self, event: AnyHeadlessEvent) -> Iterator[str]:
        """Give the one line of `event`."""
        yield json.dumps(msgspec.to_builtins(event)).replace("\x7f", "\\u007f")

    def finish(self, at: float) -> Iterator[str]:
        """Give nothing: no line waits."""
        return iter(())


class HeadlessFront:
    """The front end of one run.

    `told` is how many of the journal's entries need no telling any more, but for the numbers in `again`.
    With `outlives_terminal` the run goes on when its terminal is closed; for `last_resort` see Stopper.
    """

    def __init__(
        self,
        client: Client,
        journal: Journal,
        printer: Printer,
        *,
        as_json: bool,
        told: int = 0,
        again: Collection[int] = (),
        outlives_terminal: bool = False,
        last_resort: Callable[[], None] | None = None,
    ) -> None:
        self._client = client
        self._journal = journal
        self._printer = printer
        self._as_json = as_json
        self._told = told
        self._again = frozenset(again)
        self._outlives_terminal = outlives_terminal
        self._last_resort = last_resort
        self._telling: Telling = JsonLines() if as_json else Lines()
        self._teller = Teller()
        self._last = 0.0

    async def run(
        self, led: Callable[[], Awaitable[int]], plan_file: str, stopper: Stopper | None = None
    ) -> int:
        """Tell all until `led` gives the exit code, then the summary. Give the code; 130 after a signal.

        A `stopper` that is given watches already, and goes on after this.
        """
        async with anyio.create_task_group() as signals:
            if stopper is None:
                stopper = Stopper(
                    self._client,
                    self._printer.message,
                    outlives_terminal=self._outlives_terminal,
                    last_resort=self._last_resort,
                )
                await signals.start(stopper.watch)
            over = anyio.Event()
            signals.start_soon(self._limit_output, stopper, over)
            code = await self._tell_until(led, over)
            if stopper.asked.is_set():
                code = INTERRUPTED
            await self._print(list(self._close(code, plan_file)))
            signals.cancel_scope.cancel()
        return code

    async def _limit_output(self, stopper: Stopper, over: anyio.Event) -> None:
        """Let output that nobody reads not hold up the end that a signal has asked for."""
        await stopper.asked.wait()
        await over.wait()
        await anyio.sleep(OUTPUT.limit)
        self._printer.give_up()

    async def _tell_until(self, led: Callable[[], Awaitable[int]], over: anyio.Event) -> int:
        follower = Follower(self._journal)
        async with anyio.create_task_group() as telling:
            telling.start_soon(self._tell_all, follower)
            try:
                code = await led()
            finally:
                over.set()
                follower.finish()
        return code

    async def _tell_all(self, follower: Follower) -> None:
        problem = await follower.run(self._tell)
        if problem:
            self._printer.message(f"Nothing more can be told of this run: {problem}")

    async def _tell(self, records: list[Record]) -> None:
        lines: list[str] = []
        for record in records:
            try:
                lines += self._lines_of(record)
            except (RecursionError, ValueError) as error:  # hostile input must not end the run
                self._printer.message(
                    f"Entry {record.n} of the journal cannot be told: {type(error).__name__}"
                )
        await self._print(lines)

    def _lines_of(self, record: Record) -> list[str]:
        self._last = record.at
        event = self._teller.tell(record)
        if event is None or (record.n <= self._told and record.n not in self._again):
            return []
        return list(self._telling.say(event))

    def _close(self, code: int, plan_file: str) -> Iterator[str]:
        yield from self._telling.finish(self._last)
        summary = summarize(self._last, self._client.team(), code)
        if self._as_json:
            yield from self._telling.say(summary)
        else:
            yield from summary_lines(summary, plan_file)

    async def _print(self, lines: list[str]) -> None:
        if lines:
            text = "".join(f"{line}\n" for line in lines)
            await anyio.to_thread.run_sync(self._printer.write, text)
