"""Measures how long a request takes while workers stream: `python benchmarks/flood.py [WORKERS]`.

All workers stream events, at 500 lines a second each or as fast as they can, and one of them asks as well.
"""

import asyncio
import os
import subprocess
import sys
import time
from statistics import median

from figures import Figure, report

from swarm.ipc.channel import Unreadable
from swarm.ipc.codec import Role
from swarm.ipc.errors import ChannelClosed
from swarm.ipc.messages import (
    AnyMessage,
    Event,
    Hello,
    PermissionRequest,
    PermissionResponse,
    Preview,
    Result,
    Start,
    ToolOutput,
)
from swarm.ipc.stdio import PipeChannel, claim_stdio, open_pipes

REQUESTS = 40
PAUSE = 0.05
"""Between two requests, in seconds."""
TICK = 0.02
"""Between two bursts of a worker that keeps to a rate, in seconds."""
EVENT = Event(ToolOutput("call-1", "x" * 80))
REQUEST = PermissionRequest("call-2", "Bash", {"command": "pytest -q"}, "/", Preview(title="pytest -q"))


class Streamer:
    """A worker that streams `rate` events a second (0: all it can) and asks if `asks`."""

    def __init__(self, rate: int, asks: bool) -> None:
        self._channel = PipeChannel(Role.WORKER, *claim_stdio())
        self._rate = rate
        self._asks = asks
        self._started = asyncio.Event()
        self._answered = asyncio.Event()
        self._ended = asyncio.Event()

    def message(self, message: AnyMessage) -> None:
        match message:
            case Start():
                self._started.set()
            case PermissionResponse():
                self._answered.set()

    def unreadable(self, report: Unreadable) -> None:
        raise AssertionError(report)

    def acknowledged(self, message: AnyMessage) -> None:
        """Nothing waits for it."""

    def closed(self, why: str) -> None:
        self._ended.set()

    async def run(self) -> None:
        """Stream until the leader closes the channel; the one that asks ends with a result."""
        self._channel.open(self)
        self._channel.send(Hello((1,), os.getpid(), "benchmark", sys.version.split()[0]))
        await self._started.wait()
        streaming = asyncio.create_task(self._stream())
        if self._asks:
            times = await self._ask()
            streaming.cancel()
            self._channel.send(Result("succeeded", " ".join(map(str, times))))
        await self._ended.wait()
        streaming.cancel()

    async def _stream(self) -> None:
        try:
            while True:
                for _ in range(max(1, int(self._rate * TICK)) if self._rate else 20):
                    self._channel.send(EVENT)
                await self._channel.drain()
                await asyncio.sleep(TICK if self._rate else 0)
        except ChannelClosed:
            return

    async def _ask(self) -> list[float]:
        await asyncio.sleep(0.5)
        times = []
        for _ in range(REQUESTS):
            self._answered.clear()
            began = time.perf_counter()
            self._channel.send(REQUEST)
            await self._answered.wait()
            times.append(time.perf_counter() - began)
            await asyncio.sleep(PAUSE)
        return times


class Answerer:
    """The leader's side of one worker: starts it, answers it, counts what it streams."""

    def __init__(self, channel: PipeChannel, times: "asyncio.Future[list[float]]") -> None:
        self._channel = channel
        self._times = times
        self.count = 0

    def message(self, message: AnyMessage) -> None:
        match message:
            case Event():
                self.count += 1
            case Hello():
                self._channel.send(Start(1, "worker", "script", {}, "/"))
            case PermissionRequest():
                self._channel.send(PermissionResponse(message.id, "0" * 64, "allow", "settings-allow"))
            case Result():
                self._times.set_result([float(seconds) for seconds in message.text.split()])

    def unreadable(self, report: Unreadable) -> None:
        raise AssertionError(report)

    def acknowledged(self, message: AnyMessage) -> None:
        """Nothing waits for it."""

    def closed(self, why: str) -> None:
        """The run is over for this worker."""


async def measure(workers: int, rate: int) -> list[Figure]:
    """Run the workers; give the median and the worst time of a request."""
    times: asyncio.Future[list[float]] = asyncio.get_running_loop().create_future()
    team = [start(times, rate, asks=number == 0) for number in range(workers)]
    began = time.perf_counter()
    taken = await times
    events = sum(answerer.count for _, _, answerer in team) / (time.perf_counter() - began)
    for _, channel, _ in team:
        await channel.aclose()
    for child, _, _ in team:
        await asyncio.to_thread(child.wait)
    how = f"{workers} workers, {f'{rate} lines/s each' if rate else 'all flooding'}"
    middle, worst = (1e-3, None) if rate else (15e-3, 50e-3)
    return [
        Figure(f"request beside {how}: median", median(taken), budget=middle),
        Figure(f"request beside {how}: worst", max(taken), budget=worst),
        Figure(f"  events of {how}", events, "a second"),
    ]


def start(
    times: "asyncio.Future[list[float]]", rate: int, asks: bool
) -> tuple[subprocess.Popen[bytes], PipeChannel, Answerer]:
    """Start one worker and listen to it."""
    pipes = open_pipes()
    command = [sys.executable, __file__, "--worker", str(rate), "asks" if asks else "streams"]
    child = subprocess.Popen(command, stdin=pipes.child_stdin, stdout=pipes.child_stdout)
    os.close(pipes.child_stdin)
    os.close(pipes.child_stdout)
    channel = PipeChannel(Role.LEADER, pipes.read_fd, pipes.write_fd)
    answerer = Answerer(channel, times)
    channel.open(answerer)
    return child, channel, answerer


def main() -> None:
    """Print the table, or be one of the workers."""
    match sys.argv[1:]:
        case ["--worker", rate, part]:
            streamer = Streamer(int(rate), part == "asks")
            asyncio.run(streamer.run())
        case arguments:
            numbers = [int(argument) for argument in arguments if argument.isdigit()]
            report(lambda: figures(*numbers))


def figures(workers: int = 64) -> list[Figure]:
    """Measure both cases."""
    return [*asyncio.run(measure(workers, 500)), *asyncio.run(measure(workers, 0))]


if __name__ == "__main__":
    main()
