"""What the guard of a terminal writes, and when it writes nothing."""

import os
import pty
import select
import signal
import subprocess
import sys

import pytest

from swarm.leader.tui.restore import MODES_OFF

pytestmark = pytest.mark.processes

GUARDED = """
import os, sys, signal
from swarm.leader.tui.guard import guarded_terminal
with guarded_terminal("swarm: go \\x1b[31mon"):
    os.write(1, b"guarded\\n")
    if sys.stdin.readline() == "kill\\n":
        os.kill(os.getpid(), signal.SIGKILL)
print("left")
"""


def written(word: bytes) -> tuple[int, bytes, bytes]:
    """Give the exit code, what was printed, and what came to the terminal."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-c", GUARDED]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=theirs, start_new_session=True
    ) as process:
        os.close(theirs)
        assert process.stdout is not None
        assert process.stdout.readline() == b"guarded\n"
        out, _ = process.communicate(word, timeout=20)
    seen = b""
    while select.select([ours], [], [], 20)[0]:
        try:
            seen += os.read(ours, 1000)
        except OSError:  # nobody has the terminal open any more
            break
    os.close(ours)
    return process.returncode, out, seen


def test_a_killed_process_leaves_a_terminal_in_order_and_a_harmless_hint() -> None:
    code, _, seen = written(b"kill\n")
    assert code == -signal.SIGKILL
    assert seen.startswith(MODES_OFF.encode())
    assert seen.replace(b"\r", b"").endswith(b"\nswarm: go \\x1b[31mon\n")


def test_one_that_ends_by_itself_gets_nothing_more_written() -> None:
    assert written(b"end\n") == (0, b"left\n", b"")
