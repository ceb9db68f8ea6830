"""Measures what the screen costs: 64 workers × 500 lines/s shown in a pseudo terminal of 200×60 cells.

Usage: python benchmarks/screen.py [SECONDS]. What makes the lines runs in the same process as the screen,
so its share without any screen is printed beside, as the floor of the same run.
"""

import asyncio
import fcntl
import os
import pty
import select
import statistics
import struct
import sys
import termios
import time
from dataclasses import dataclass

import psutil
from figures import Figure, report

from swarm.leader.core.fake_client import FakeClient

WORKERS, LINES, TICK = 64, 500, 0.016
WIDTH, HEIGHT = 200, 60
LINE = "compiling module {} with 漢字 and a usual amount of text in it\n"
CHOSEN_MARK = "▌".encode()
KEYS = (b"j", b"k")


async def stream(client: FakeClient) -> None:
    """Say `LINES` lines a second for each worker, in batches as the leader's core makes them."""
    said, started = 0, time.monotonic()
    while True:
        await asyncio.sleep(TICK)
        due = int((time.monotonic() - started) * LINES)
        for worker in client.team().workers:
            client.say(worker.name, LINE.format(said) * (due - said))
        said = due


async def play(*, screen: bool) -> None:
    """Stream for ever, with a screen or without."""
    client = FakeClient("bench")
    for number in range(WORKERS):
        client.add_worker(f"worker-{number:02}")
    streaming = asyncio.create_task(stream(client))
    if screen:
        from swarm.leader.tui.terminal import run_terminal

        await run_terminal(client)
    else:
        await streaming


def start(*arguments: str) -> tuple[int, int]:
    """Start this file as a child on a terminal of its own; give its process id and the terminal."""
    child, terminal = pty.fork()
    if child == 0:
        os.environ["TERM"] = "xterm-256color"
        os.execv(sys.executable, [sys.executable, __file__, *arguments])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", HEIGHT, WIDTH, 0, 0))
    return child, terminal


def read_until(terminal: int, deadline: float, wanted: bytes = b"") -> int:
    """Read what the child paints until `wanted` comes or the time is over; give the bytes read."""
    count = 0
    while (left := deadline - time.monotonic()) > 0:
        if select.select([terminal], [], [], left)[0]:
            data = os.read(terminal, 1 << 16)
            count += len(data)
            if wanted and wanted in data:
                break
    return count


@dataclass(frozen=True, slots=True)
class Cost:
    """What a run cost: share of a core, resident bytes, and the times from key to paint in seconds."""

    share: float
    memory: float
    times: list[float]


def measure(child: int, terminal: int, seconds: float, *, keys: bool) -> Cost:
    """Watch a child for some seconds, press keys if asked to, and end it."""
    process = psutil.Process(child)
    read_until(terminal, time.monotonic() + 3)
    before, started = sum(process.cpu_times()[:2]), time.monotonic()
    times: list[float] = []
    while time.monotonic() < started + seconds:
        read_until(terminal, time.monotonic() + 0.25)
        if keys:
            pressed = time.monotonic()
            os.write(terminal, KEYS[len(times) % 2])
            read_until(terminal, pressed + 2, CHOSEN_MARK)
            times.append(time.monotonic() - pressed)
    took = time.monotonic() - started
    share = (sum(process.cpu_times()[:2]) - before) / took
    cost = Cost(share, process.memory_info().rss, times)
    process.kill()
    os.waitpid(child, 0)
    os.close(terminal)
    return cost


def figures(seconds: float) -> list[Figure]:
    """Measure the floor, then the screen."""
    floor = measure(*start("--floor"), seconds, keys=False)
    screen = measure(*start("--screen"), seconds, keys=True)
    slowest = statistics.quantiles(screen.times, n=20)[-1]
    return [
        Figure("floor: what makes the lines, no screen", floor.share, "share"),
        Figure("the same with the screen", screen.share, "share", budget=0.4),
        Figure("  its resident memory", screen.memory, "B"),
        Figure("key to paint, median", statistics.median(screen.times)),
        Figure("key to paint, 95th percentile", slowest, budget=0.04),
    ]


def main() -> None:
    """Print the table, or be what is shown."""
    if sys.argv[1:] in (["--screen"], ["--floor"]):
        asyncio.run(play(screen=sys.argv[1] == "--screen"))
        return
    seconds = [float(argument) for argument in sys.argv[1:] if argument != "--json"]
    report(lambda: figures(*seconds or (10.0,)))


if __name__ == "__main__":
    main()
