"""Puts the terminal right if this process is killed as nothing can withstand. Does nothing else.

A shell waits for the end of a pipe, which comes without a word only then. It writes to the terminal and
leaves the line discipline to the shell that gets the terminal back: that one sets its own.
"""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from swarm.leader.hostile import escape
from swarm.leader.tui.restore import MODES_OFF, STDERR

_SCRIPT = """trap '' INT HUP TERM QUIT TSTP TTIN TTOU
read -r word
[ "$word" = restored ] || printf %s "$1" >&2"""

RELEASE_SECONDS = 1.0
"""How long the shell may take to end, in seconds."""


@contextmanager
def guarded_terminal(hint: str) -> Iterator[None]:
    """Let the terminal be put right, and say `hint` there, if this process dies within the context.

    Leave it only when the terminal has its modes back. Where no shell can be started, nothing is guarded.
    """
    guard = _start(hint) if os.isatty(STDERR) else None
    try:
        yield
    finally:
        if guard is not None:
            _release(guard)


def _release(guard: "subprocess.Popen[bytes]") -> None:
    try:
        guard.communicate(b"restored\n", timeout=RELEASE_SECONDS)
    except subprocess.TimeoutExpired:  # as one that somebody has suspended
        guard.kill()
        guard.communicate()


def _start(hint: str) -> "subprocess.Popen[bytes] | None":
    text = f"{MODES_OFF}\r\n{escape(hint)}\r\n"
    with suppress(OSError):
        return subprocess.Popen(
            ["/bin/sh", "-c", _SCRIPT, "swarm-guard", text],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            bufsize=0,
        )
    return None
