"""Times `swarm run` on a pseudo terminal from its start to the first picture that shows its worker."""

import contextlib
import fcntl
import os
import pty
import select
import signal
import struct
import sys
import tempfile
import termios
import time
from pathlib import Path

PLAN = """\
version: 1
workers:
  first-paint:
    steps: [{bash: sleep 60}]
permissions: {allow: ["Bash(sleep:*)"]}
"""
SHOWN = b"first-paint"
DEADLINE = 20.0


def time_to_paint(program: str) -> float:
    """Give the seconds from the start to the first picture. Raises TimeoutError."""
    with tempfile.TemporaryDirectory() as name:
        plan = Path(name) / "plan.yaml"
        plan.write_text(PLAN, encoding="utf-8")
        began = time.perf_counter()
        child, terminal = pty.fork()
        if child == 0:
            home = {"HOME": name, "XDG_STATE_HOME": f"{name}/state", "XDG_CONFIG_HOME": f"{name}/config"}
            terminal_kind = {"TERM": "xterm-256color"}
            os.execve(program, [program, "run", str(plan)], {**os.environ, **home, **terminal_kind})
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        try:
            until_shown(terminal, began + DEADLINE)
            return time.perf_counter() - began
        finally:
            leave(child, terminal)


def until_shown(terminal: int, deadline: float) -> None:
    """Read until the worker's name is painted. Raises TimeoutError."""
    seen = b""
    while SHOWN not in seen:
        if not select.select([terminal], [], [], max(0.0, deadline - time.perf_counter()))[0]:
            raise TimeoutError(f"swarm run painted no worker within {DEADLINE:.0f} s")
        seen = seen[-len(SHOWN) :] + os.read(terminal, 1 << 16)


def leave(child: int, terminal: int) -> None:
    """Stop the run as a person would, twice, and read on so that it can say its last words."""
    for _ in range(2):
        os.kill(child, signal.SIGINT)
        time.sleep(0.1)
    deadline = time.perf_counter() + DEADLINE
    while time.perf_counter() < deadline:
        if select.select([terminal], [], [], 0.05)[0]:
            with contextlib.suppress(OSError):  # the child has closed its end
                os.read(terminal, 1 << 16)
        if os.waitpid(child, os.WNOHANG)[0]:
            break
    else:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    os.close(terminal)


if __name__ == "__main__":
    print(time_to_paint(str(Path(sys.executable).with_name("swarm"))))
