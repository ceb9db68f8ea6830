"""Many processes that write letters to one, all of them killed now and then: is one lost, or doubled?

Run as a program it is a writer or the reader. Each notes in a log of its own what it has done, and when
it is started again goes on behind that.
"""

import asyncio
import os
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from swarm.ipc.mailbox.box import Mailbox
from swarm.ipc.mailbox.key import make_key, read_key
from swarm.ipc.mailbox.room import Mailroom
from swarm.ipc.mailbox.stream import MailStream

READER = "reader"
NOTE = 16
"""Bytes of a line in a log, all alike."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a storm came to. `kills` are those of writers and of the reader."""

    sent: int
    lost: int
    doubled: int
    unordered: int
    kills: tuple[int, int]
    seconds: float


class Log:
    """Lines of one length that outlive the process; a torn last one does not count."""

    def __init__(self, folder: Path, name: str) -> None:
        self.path = folder / f"{name}.log"
        self._fd = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)

    def add(self, line: str) -> None:
        os.write(self._fd, line.ljust(NOTE - 1).encode() + b"\n")

    def lines(self) -> list[str]:
        return self.path.read_text().split()

    def count(self) -> int:
        return self.path.stat().st_size // NOTE

    def close(self) -> None:
        os.close(self._fd)


def write(folder: Path, name: str, count: int) -> None:
    """Send the letters that are not noted as sent yet; what is noted was acknowledged to us."""
    box = Mailbox(folder / "mail", name, read_key(folder / "mail.key"))
    log = Log(folder, name)
    for number in range(log.count(), count):
        box.send(READER, f"{name}/{number}\n".encode())
        log.add(f"{name}/{number}")


def read(folder: Path, names: list[str]) -> None:
    """Note each letter once, as whoever handles messages by their ids does, until killed."""
    log = Log(folder, READER)
    seen = set(log.lines())

    def drain(stream: MailStream) -> None:
        try:
            note = stream.read().decode().strip()
        except BlockingIOError:
            return
        if note not in seen:
            seen.add(note)
            log.add(note)

    async def main() -> None:
        loop = asyncio.get_running_loop()
        room = Mailroom(Mailbox(folder / "mail", READER, read_key(folder / "mail.key")))
        room.open(loop)
        for name in names:
            stream = room.stream(name)
            stream.attach(loop)
            stream.watch_reading(partial(drain, stream))
        await asyncio.Event().wait()

    asyncio.run(main())


@dataclass(slots=True)
class Player:
    """A process that is killed whenever its log has grown to one of `deaths`, and started again."""

    command: list[str]
    log: Log
    deaths: list[int]
    goal: int
    process: subprocess.Popen[bytes] | None = field(default=None)
    kills: int = 0

    def step(self) -> bool:
        """Start, kill, or leave it; tell whether its goal is reached."""
        count = self.log.count()
        if self.process is None:
            self.process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL)
        if self.deaths and count >= self.deaths[0]:
            self.deaths = [death for death in self.deaths if death > count]
            self.kills += 1
            self.end()
        elif self.process is not None and self.process.poll() not in (None, 0):
            raise AssertionError(f"{self.command} ended with {self.process.returncode}")
        return count >= self.goal and not self.deaths

    def end(self) -> None:
        """Kill it, with its log left open for the next."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


def storm(folder: Path, writers: int, letters: int, kills: int, limit: float, seed: int = 1) -> Outcome:
    """Let `writers` send `letters` in all, each and the reader killed `kills` times on the way."""
    draw = random.Random(seed)
    make_key(folder / "mail.key")
    (folder / "mail").mkdir(mode=0o700)
    Mailbox(folder / "mail", READER, read_key(folder / "mail.key")).create()
    names = [f"writer-{number}" for number in range(writers)]
    began = time.monotonic()
    with ExitStack() as stack:
        players = []
        for name, count in [*((name, letters // writers) for name in names), (READER, letters)]:
            program = [sys.executable, "-E", "-P", __file__, str(folder), name]
            log = Log(folder, name)
            stack.callback(log.close)
            deaths = sorted(draw.sample(range(count // 10, count - count // 10), kills))
            arguments = names if name == READER else [str(count)]
            players.append(Player([*program, *arguments], log, deaths, count))
            stack.callback(players[-1].end)
        wait(lambda: step(players), limit)
        return judge(players, time.monotonic() - began)


def step(players: list[Player]) -> bool:
    """Let each player step, and tell whether all have reached their goals."""
    reached = [player.step() for player in players]
    return all(reached)


def wait(condition: Callable[[], bool], limit: float) -> None:
    """Wait until `condition` holds, looking often. Raises TimeoutError."""
    end = time.monotonic() + limit
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(f"the storm was not over within {limit:g} s")
        time.sleep(0.001)


def judge(players: list[Player], seconds: float) -> Outcome:
    """Compare what the writers know as sent with what the reader has handled."""
    *writers, reader = players
    handled = reader.log.lines()
    sent = [line for writer in writers for line in writer.log.lines()]
    numbers = [(name, int(number)) for name, _, number in (line.partition("/") for line in handled)]
    return Outcome(
        sent=len(sent),
        lost=len(set(sent) - set(handled)),
        doubled=sum(count - 1 for count in Counter(handled).values()),
        unordered=sum(a != b for a, b in zip(by_writer(numbers), sorted(numbers), strict=True)),
        kills=(sum(writer.kills for writer in writers), reader.kills),
        seconds=seconds,
    )


def by_writer(numbers: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """Bring the letters of each writer together, in the order in which they came."""
    return sorted(numbers, key=lambda pair: pair[0])


if __name__ == "__main__":
    match sys.argv[1:]:
        case [folder, name, *arguments] if name == READER:
            read(Path(folder), arguments)
        case [folder, name, count]:
            write(Path(folder), name, int(count))
