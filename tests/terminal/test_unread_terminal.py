"""A terminal that is open but not read stops nothing: neither the team, nor what another shell asks for."""

import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pyte
import pytest

from support.plans import bash, write_plan
from support.programs import swarm, words_of
from support.tmux import PROGRAM
from support.waiting import wait_until

COLUMNS, ROWS = 100, 30
FLOOD = "#!/bin/sh\nwhile ! test -e enough; do echo noise; sleep 0.01; done\n"
QUIET = 1.5
"""Seconds without a byte more after which the terminal is full: there is always something to paint."""


class UnreadTerminal:
    """A pseudo terminal with the program, read only while `reading` is set."""

    def __init__(self, folder: Path) -> None:
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        self.process = subprocess.Popen(
            [*PROGRAM, "run", "plan.yaml"],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            cwd=folder,
            env={**os.environ, "TERM": "xterm-256color"},
            start_new_session=True,
        )
        os.close(slave)
        self._picture = pyte.Screen(COLUMNS, ROWS)
        self._stream = pyte.ByteStream(self._picture)
        self._lock, self.reading, self.closed = threading.Lock(), threading.Event(), False
        self.reading.set()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        while not self.closed:
            if self.reading.wait(0.05) and select.select([self.master], [], [], 0.05)[0]:
                try:
                    data = os.read(self.master, 1 << 16)
                except OSError:  # the program has ended
                    return
                with self._lock:
                    self._stream.feed(data)

    def text(self) -> str:
        with self._lock:
            return "\n".join(self._picture.display)

    def shows(self, *texts: str) -> None:
        wait_until(lambda: all(text in self.text() for text in texts))

    def fill(self) -> None:
        """Read no more, and wait until the terminal holds all that it can."""
        self.reading.clear()
        held, since = -1, 0.0

        def full() -> bool:
            nonlocal held, since
            found = struct.unpack("i", fcntl.ioctl(self.master, termios.FIONREAD, bytes(4)))[0]
            if found != held:
                held, since = found, time.monotonic()
            return found > 0 and time.monotonic() - since > QUIET

        wait_until(full)

    def close(self) -> None:
        if self.process.poll() is None:
            for process in psutil.Process(self.process.pid).children(recursive=True):
                process.kill()
            self.process.kill()
            self.process.wait()
        self.closed = True
        self._reader.join()
        os.close(self.master)


@pytest.fixture
def terminal(project: Path, own_home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[UnreadTerminal]:
    """A run with one worker that always has something to show and one that asks twice."""
    monkeypatch.setenv("XDG_STATE_HOME", str(own_home.parent / "s"))
    program = project / "flood"
    program.write_text(FLOOD, encoding="utf-8")
    program.chmod(0o700)
    write_plan(
        project,
        {"loud": [bash("./flood")], "asking": [bash("touch one"), bash("touch two")]},
        permissions={"allow": ["Bash(./flood)"]},
    )
    opened = UnreadTerminal(project)
    try:
        yield opened
    finally:
        opened.close()


def pending(project: Path) -> list[str]:
    """Give the commands that wait, as another shell is told."""
    return [asked["input"]["command"] for asked in swarm("pending", "--json", cwd=project).objects()]


def test_a_terminal_that_nobody_reads_holds_nothing_up_and_is_right_again_when_it_is_read(
    terminal: UnreadTerminal, project: Path
) -> None:
    terminal.shows("$ touch one", "noise")
    terminal.fill()
    assert pending(project) == ["touch one"]
    (asked,) = swarm("pending", "--json", cwd=project).objects()
    approved = swarm("approve", "r1", "--digest", asked["digest"][:12], cwd=project)
    assert approved.code == 0, approved
    wait_until((project / "one").exists)
    wait_until(lambda: pending(project) == ["touch two"])
    os.write(terminal.master, b"y?")  # a card that was not seen takes no answer
    (project / "enough").touch()
    wait_until(lambda: "succeeded" in swarm("show", cwd=project).out)
    assert pending(project) == ["touch two"]
    terminal.reading.set()
    terminal.shows("Shift-Tab", "the next request")
    os.write(terminal.master, b"\x1b")
    terminal.shows("takes no answer")
    os.write(terminal.master, b"\t")
    terminal.shows("$ touch two", "1 of 1", "1 waiting", "done")
    shown = terminal.text()
    assert shown.count("wants your approval") == 1, shown
    assert "touch one" not in shown.split("wants your approval")[1], shown
    assert not (project / "two").exists()


def test_a_run_on_a_terminal_that_nobody_reads_can_be_stopped(
    terminal: UnreadTerminal, project: Path
) -> None:
    terminal.shows("$ touch one", "noise")
    children = psutil.Process(terminal.process.pid).children(recursive=True)
    below = [child for child in children if "swarm-guard" not in words_of(child)]  # which minds the screen
    terminal.fill()
    assert swarm("stop", cwd=project).code == 0
    wait_until(lambda: not [process for process in below if process.is_running()])
    terminal.reading.set()
    terminal.shows("ended, exit 130")
    os.write(terminal.master, b"q")
    assert terminal.process.wait(timeout=20) == 130
