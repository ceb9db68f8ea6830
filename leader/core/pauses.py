"""Lets process trees stand still and go on. Decides nothing about when.

What stands still when its leader is killed must not do so for ever: a shell that waits for the end of
the leader's pipe lets it go on then, so that it sees for itself that its leader is gone.
"""

import contextlib
import signal
import subprocess
from collections.abc import Iterable

from swarm.leader.core.processes import find_tree, signal_all

_ROUNDS = 10
_WAKER = """trap '' INT HUP TERM QUIT; pids=
while read -r line; do pids=$line; done
[ -z "$pids" ] || kill -CONT $pids"""


def freeze(root: int, mark: str) -> None:
    """Stop every process of a tree, also those that it starts meanwhile. Blocks for some milliseconds."""
    stopped: set[int] = set()
    for _ in range(_ROUNDS):
        found = [process for process in find_tree(root, mark) if process.pid not in stopped]
        if not found:
            return
        signal_all(found, signal.SIGSTOP)
        stopped.update(process.pid for process in found)


def thaw(root: int, mark: str) -> None:
    """Let every process of a tree go on, the worker itself last. Blocks for some milliseconds."""
    signal_all(reversed(find_tree(root, mark)), signal.SIGCONT)


class Waker:
    """Knows who stands still. Costs a small shell while anybody does."""

    def __init__(self) -> None:
        self._shell: subprocess.Popen[bytes] | None = None

    def watch(self, pids: Iterable[int]) -> None:
        """Let these go on, and no others, if this process ends without a word."""
        line = " ".join(str(pid) for pid in sorted(pids))
        if not line:
            self.close()
            return
        if self._shell is None:
            self._shell = subprocess.Popen(
                ["/bin/sh", "-c", _WAKER], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, bufsize=0
            )
        self._tell(line)

    def close(self) -> None:
        """Let nobody go on, and end the shell. Idempotent."""
        if self._shell is None:
            return
        self._tell("")
        assert self._shell.stdin is not None
        self._shell.stdin.close()
        self._shell.wait()
        self._shell = None

    def _tell(self, line: str) -> None:
        assert self._shell is not None
        assert self._shell.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self._shell.stdin.write(line.encode() + b"\n")
