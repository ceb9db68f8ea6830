"""Measures the mailbox: how soon a letter is handled, how fast many are, and what waiting costs.

The limit is the same file written, synced and renamed in one process that waits for the raw event. A
letter is timed from before it is sent, so its two syncs count. `python benchmarks/mailbox.py [LETTERS]`.
"""

import asyncio
import os
import resource
import select
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from figures import Figure, report

from swarm.ipc.mailbox.box import Mailbox
from swarm.ipc.mailbox.inotify import MOVED_TO, Inotify
from swarm.ipc.mailbox.room import Mailroom
from swarm.ipc.mailbox.stream import MailStream

KEY = b"k" * 32
BODY = b'{"type":"permission_request","tool":"Bash"}'.ljust(400, b" ")
ROUNDS = 300
PAUSE = 0.005
"""Between two letters that are timed, in seconds: so each finds a reader that waits."""
IDLE = 5.0
"""How long waiting is watched, in seconds."""


def time_of_limit(folder: Path) -> tuple[float, float]:
    """Give the median time to the raw event with the file synced, then with its folder too."""
    return _limit(folder, False), _limit(folder, True)


def _limit(folder: Path, folder_too: bool) -> float:
    new = folder / "new"
    new.mkdir(exist_ok=True)
    inotify = Inotify(new, MOVED_TO)
    poll = select.poll()
    poll.register(inotify.fd, select.POLLIN)
    descriptor = os.open(new, os.O_RDONLY)
    times = []
    for number in range(ROUNDS):
        began = time.perf_counter()
        file = os.open(folder / "file", os.O_WRONLY | os.O_CREAT, 0o600)
        os.write(file, BODY)
        os.fsync(file)
        os.close(file)
        os.rename(folder / "file", new / str(number))
        if folder_too:
            os.fsync(descriptor)
        poll.poll()
        inotify.read()
        times.append(time.perf_counter() - began)
        time.sleep(PAUSE)
    os.close(descriptor)
    inotify.close()
    return median(times)


def write(root: str, count: int) -> None:
    """Be the sender of timed letters: each holds when its sending began, by the clock all share."""
    box = Mailbox(Path(root), "writer", KEY)
    for _ in range(count):
        box.send("reader", str(time.perf_counter()).encode().ljust(len(BODY)))
        time.sleep(PAUSE)


class Reader:
    """Takes the letters of one stream and notes how long each was on its way."""

    def __init__(self, stream: MailStream, count: int) -> None:
        self._stream = stream
        self._count = count
        self.times: list[float] = []
        self.done = asyncio.Event()
        stream.attach(asyncio.get_running_loop())
        stream.watch_reading(self._read)

    def _read(self) -> None:
        try:
            body = self._stream.read()
        except BlockingIOError:
            if len(self.times) >= self._count:
                self.done.set()
            return
        self.times.append(time.perf_counter() - float(body))


async def time_of_letters(root: Path, notified: bool) -> list[float]:
    """Give how long each letter took from another process, from before it was sent."""
    room = Mailroom(Mailbox(root, "reader", KEY), notified=notified)
    room.open(asyncio.get_running_loop())
    reader = Reader(room.stream("writer"), ROUNDS)
    with start_writer(root):
        await reader.done.wait()
    room.close()
    return reader.times


def start_writer(root: Path) -> "subprocess.Popen[bytes]":
    """Start the sender of timed letters; to leave its context waits for its end."""
    return subprocess.Popen([sys.executable, "-E", __file__, "--write", str(root), str(ROUNDS)])


async def drain(root: Path, count: int) -> tuple[float, float]:
    """Send letters that nobody reads yet; give the seconds to send all, then to handle all."""
    box = Mailbox(root, "writer", KEY)
    body = str(time.perf_counter()).encode().ljust(len(BODY))
    Mailbox(root, "reader", KEY).create()
    began = time.perf_counter()
    for _ in range(count):
        box.send("reader", body)
    sent = time.perf_counter() - began
    began = time.perf_counter()
    room = Mailroom(Mailbox(root, "reader", KEY))
    room.open(asyncio.get_running_loop())
    await Reader(room.stream("writer"), count).done.wait()
    drained = time.perf_counter() - began
    room.close()
    return sent, drained


async def idle(root: Path, notified: bool) -> float:
    """Give the share of a core that a mail room takes while nothing comes."""
    room = Mailroom(Mailbox(root, "reader", KEY), notified=notified)
    room.open(asyncio.get_running_loop())
    await asyncio.sleep(2.0)
    before = resource.getrusage(resource.RUSAGE_SELF)
    await asyncio.sleep(IDLE)
    after = resource.getrusage(resource.RUSAGE_SELF)
    room.close()
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / IDLE


def figures(letters: int = 10_000) -> list[Figure]:
    """Measure all, each in a folder of its own."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file_only, both = time_of_limit(folder)
        told = asyncio.run(time_of_letters(folder / "told", True))
        looked = asyncio.run(time_of_letters(folder / "looked", False))
        sent, drained = asyncio.run(drain(folder / "queued", letters))
        waits = [asyncio.run(idle(folder / "told", notified)) for notified in (True, False)]
    against = "file and folder synced, raw event"
    return [
        Figure("limit: file synced, renamed, raw event", file_only),
        Figure("limit: its folder synced as well", both),
        Figure("letter, notified: median from before sending", median(told), "s", both, against),
        Figure("  the same, by itself", median(told), budget=2e-3),
        Figure("  95th percentile", sorted(told)[len(told) * 95 // 100]),
        Figure("letter, looking now and then: median", median(looked)),
        Figure(f"{letters:,} letters sent, each synced", sent),
        Figure(f"{letters:,} waiting letters handled and put away", drained, budget=5.0),
        Figure("CPU of an idle mail room a second, notified", waits[0], budget=0.5e-3),
        Figure("CPU of an idle mail room a second, looking", waits[1]),
    ]


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["--write", root, count]:
            write(root, int(count))
        case arguments:
            numbers = [int(argument) for argument in arguments if argument.isdigit()]
            report(lambda: figures(*numbers))
