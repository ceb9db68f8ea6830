"""The physical limit that round trips are held against: a blocking ping-pong over a child's two pipes."""

import os
import subprocess
import sys
import time
from statistics import median

import orjson

from swarm.ipc.codec import encode
from swarm.ipc.messages import PermissionRequest, Preview
from swarm.ipc.stdio import ChildPipes, open_pipes

ROUNDS = 4000
WARM_UP = 500
REQUEST = PermissionRequest(
    call_id="toolu_0123456789",
    tool="Bash",
    input={"command": "pytest -q tests/unit/ipc --maxfail=1 -k 'not slow'", "description": "Run the tests"},
    cwd="/home/user/project",
    preview=Preview(title="pytest -q tests/unit/ipc --maxfail=1 -k 'not slow'", paths=()),
    agent=("tests",),
)


def start_child(command: list[str], pipes: ChildPipes) -> subprocess.Popen[bytes]:
    """Start `command` at the other end of `pipes`."""
    child = subprocess.Popen(command, stdin=pipes.child_stdin, stdout=pipes.child_stdout)
    os.close(pipes.child_stdin)
    os.close(pipes.child_stdout)
    return child


def time_of_limit() -> float:
    """Give the median of a blocking round trip in seconds."""
    pipes = open_pipes()
    child = start_child([sys.executable, __file__], pipes)
    request = orjson.loads(encode(REQUEST))
    times = []
    for _ in range(ROUNDS + WARM_UP):
        began = time.perf_counter()
        os.write(pipes.write_fd, orjson.dumps(request) + b"\n")
        orjson.loads(os.read(pipes.read_fd, 65536))
        times.append(time.perf_counter() - began)
    os.close(pipes.write_fd)
    child.wait()
    os.close(pipes.read_fd)
    return median(times[WARM_UP:])


def blocking_child() -> None:
    """Be the other end of the limit: read a line, parse it, write an answer."""
    while line := os.read(0, 65536):
        os.write(1, orjson.dumps(orjson.loads(line)) + b"\n")


if __name__ == "__main__":
    blocking_child()
