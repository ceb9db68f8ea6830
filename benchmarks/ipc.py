"""Measures the wire against its physical limit in the same run: `python benchmarks/ipc.py`.

The limit (1.0) is a blocking ping-pong of the same ~400 byte request over a child's standard input and
output, read and written with os.read, os.write and orjson. Events are held against splitting and parsing
the same bytes in memory. The round trip from gate to gate is that of gate.py, behind the same limit.
"""

import asyncio
import os
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from itertools import pairwise
from statistics import median

import gate
import orjson
from figures import Figure, report
from limit import REQUEST, ROUNDS, WARM_UP, start_child, time_of_limit

from swarm.ipc.channel import Unreadable
from swarm.ipc.codec import Role
from swarm.ipc.connection import Connection
from swarm.ipc.messages import (
    AnyMessage,
    Event,
    Hello,
    PermissionResponse,
    Start,
    ToolOutput,
)
from swarm.ipc.states import State
from swarm.ipc.stdio import PipeChannel, claim_stdio, open_pipes

TURNS = 3
LIMIT = "blocking ping-pong"


class Asker:
    """The worker: asks again as soon as it is answered, and leaves after all rounds."""

    def __init__(self, channel: PipeChannel, done: asyncio.Event) -> None:
        self._channel = channel
        self._done = done

    def message(self, message: AnyMessage) -> None:
        if isinstance(message, Start | PermissionResponse):
            self._channel.send(REQUEST)

    def unreadable(self, report: Unreadable) -> None:
        raise AssertionError(report)

    def acknowledged(self, message: AnyMessage) -> None:
        """Nothing waits for it."""

    def closed(self, why: str) -> None:
        self._done.set()


class Answerer:
    """The leader: answers at once and takes the time between two requests."""

    def __init__(self, channel: PipeChannel, done: asyncio.Event) -> None:
        self._channel = channel
        self._done = done
        self.times: list[float] = []

    def message(self, message: AnyMessage) -> None:
        if isinstance(message, Hello):
            self._channel.send(Start(protocol=1, worker="w", kind="script", agent={}, cwd="/"))
            return
        self.times.append(time.perf_counter())
        if len(self.times) > ROUNDS + WARM_UP:
            self._done.set()
            return
        self._channel.send(
            PermissionResponse(message.id, "0" * 64, "allow", "settings-allow", rule="Bash(pytest:*)")
        )

    def unreadable(self, report: Unreadable) -> None:
        raise AssertionError(report)

    def acknowledged(self, message: AnyMessage) -> None:
        """Nothing waits for it."""

    def closed(self, why: str) -> None:
        self._done.set()


async def channel_child() -> None:
    """Be the worker at the other end of a channel."""
    done = asyncio.Event()
    channel = PipeChannel(Role.WORKER, *claim_stdio())
    channel.open(Asker(channel, done))
    channel.send(Hello((1,), os.getpid(), "benchmark", sys.version.split()[0]))
    await done.wait()


async def time_of_channel() -> float:
    """Give the median from one request to the next over two channels and a process, in seconds."""
    pipes = open_pipes()
    child = start_child([sys.executable, __file__, "--channel-child"], pipes)
    done = asyncio.Event()
    channel = PipeChannel(Role.LEADER, pipes.read_fd, pipes.write_fd)
    answerer = Answerer(channel, done)
    channel.open(answerer)
    await done.wait()
    await channel.aclose()
    await asyncio.to_thread(child.wait)
    times = answerer.times[WARM_UP:]
    return median(later - earlier for earlier, later in pairwise(times))


def time_of_events(size: int) -> tuple[float, float]:
    """Give seconds per event of `size` bytes: split and parsed by orjson, received by a connection."""
    sender = Connection(Role.WORKER, state=State.RUNNING)
    padding = size - len(sender.send(Event(ToolOutput("call-1", ""))))
    event = Event(ToolOutput("call-1", "x" * max(padding, 1)))
    lines = [sender.send(event) for _ in range(4_000_000 // size)]
    stream = b"".join(lines)
    portions = [stream[at : at + 65536] for at in range(0, len(stream), 65536)]
    return best(lambda: parse_all(portions), len(lines)), best(lambda: receive_all(portions), len(lines))


def parse_all(portions: list[bytes]) -> None:
    """Split and parse, the fastest way there is for whole portions."""
    rest = b""
    for portion in portions:
        *lines, rest = (rest + portion).split(b"\n")
        for line in lines:
            orjson.loads(line)


def receive_all(portions: list[bytes]) -> None:
    """Take the portions as the leader does."""
    receiver = Connection(Role.LEADER, state=State.RUNNING)
    for portion in portions:
        receiver.receive_data(portion)


def best(run: Callable[[], None], count: int) -> float:
    """Give the median seconds per item of five runs."""
    times = []
    for _ in range(5):
        began = time.perf_counter()
        run()
        times.append((time.perf_counter() - began) / count)
    return median(times)


def on_asyncio() -> float:
    """Give the time of a channel whose leader's end runs on asyncio."""
    return asyncio.run(time_of_channel())


def on_uvloop() -> float:
    """Give the time of a channel whose leader's end runs on uvloop."""
    import uvloop

    return uvloop.run(time_of_channel())


def figures() -> list[Figure]:
    """Measure everything. Round trips are taken in turns, and the quietest turn of each counts."""
    kinds: dict[str, Callable[[], float]] = {
        LIMIT: time_of_limit,
        "channel round trip, leader on asyncio": on_asyncio,
    }
    if find_spec("uvloop") is not None:
        kinds["channel round trip, leader on uvloop"] = on_uvloop
    turns = [{what: measure() for what, measure in kinds.items()} for _ in range(TURNS)]
    quietest = {what: min(turn[what] for turn in turns) for what in kinds}
    limit = quietest[LIMIT]
    trips = [Figure(what, taken, limit=limit, against=LIMIT) for what, taken in quietest.items()]
    return [*trips, *gate.figures(limit), *map(event_figure, (120, 4096))]


def event_figure(size: int) -> Figure:
    """Give what receiving one event of `size` bytes takes."""
    parsed, received = time_of_events(size)
    what = f"event of {size} bytes received and typed"
    return Figure(what, received, limit=parsed, against="split and orjson", budget=2)


def main() -> None:
    """Print the table, or be the child."""
    match sys.argv[1:]:
        case ["--channel-child"]:
            asyncio.run(channel_child())
        case _:
            report(figures)


if __name__ == "__main__":
    main()
