"""The real terminal, in a pseudo terminal: it is sane after every way out."""

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time

import pytest

DRIVER = """
import anyio
from swarm.leader.core.fake_client import FakeClient
from swarm.leader.tui.terminal import run_terminal

client = FakeClient()
client.add_worker("one")
client.add_worker("two")

class Broken(Exception):
    pass

async def main():
    match HOW:
        case "broken":
            known = client.transcript
            def transcript(worker):
                if worker == "two":
                    raise Broken
                return known(worker)
            client.transcript = transcript
            try:
                await run_terminal(client)
            except Broken:
                print("the caller has it")
        case "cancelled":
            async with anyio.create_task_group() as group:
                group.start_soon(run_terminal, client)
                while len(client.transcripts) < 2:
                    await anyio.sleep(0.01)
                group.cancel_scope.cancel()
            print("the caller goes on")
        case "left":
            client.change_team(exit_code=0)
            await run_terminal(client)
            print("the summary")

client.transcripts = set()
known = client.transcript
client.transcript = lambda worker: client.transcripts.add(worker) or known(worker)
anyio.run(main)
"""


class Terminal:
    """A child on a terminal of its own."""

    def __init__(self, how: str) -> None:
        self.master, self.slave = pty.openpty()
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.before = termios.tcgetattr(self.slave)
        self.painted = b""
        self.process = subprocess.Popen(
            [sys.executable, "-c", f"HOW = {how!r}\n{DRIVER}"],
            stdin=self.slave,
            stdout=self.slave,
            stderr=self.slave,
            env={**os.environ, "TERM": "xterm-256color"},
            start_new_session=True,
        )

    def read_until(self, wanted: bytes) -> None:
        deadline = time.monotonic() + 20
        while wanted not in self.painted:
            assert time.monotonic() < deadline, self.painted[-2000:]
            if select.select([self.master], [], [], 0.1)[0]:
                self.painted += os.read(self.master, 1 << 16)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.master)
        os.close(self.slave)


@pytest.mark.parametrize(
    ("how", "key", "last"),
    [
        ("broken", b"j", b"the caller has it"),
        ("cancelled", b"j", b"the caller goes on"),
        ("left", b"q", b"the summary"),
    ],
)
def test_the_terminal_is_sane_after_every_way_out(how: str, key: bytes, last: bytes) -> None:
    terminal = Terminal(how)
    try:
        terminal.read_until(b"two")
        os.write(terminal.master, key)
        terminal.read_until(last)
        assert terminal.process.wait(timeout=20) == 0
        assert termios.tcgetattr(terminal.slave) == terminal.before
        shown = terminal.painted
        assert shown.rindex(b"\x1b[?1049l") > shown.rindex(b"\x1b[?1049h"), "the main screen is back"
        assert shown.rindex(b"\x1b[?25h") > shown.rindex(b"\x1b[?25l"), "the cursor is shown"
        assert shown.rindex(b"\x1b[?1003l") > shown.rindex(b"\x1b[?1003h"), "the mouse is released"
        assert shown.rindex(last) > shown.rindex(b"\x1b[?1049l"), "what the caller prints stays"
    finally:
        terminal.close()
