"""The real thing: a child process at the other end of two pipes."""

import asyncio
import fcntl
import os
import pty
import subprocess
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path

import pytest
import uvloop

from support.receiving import Notes
from swarm.ipc.bytestream import READ_SIZE
from swarm.ipc.codec import Role
from swarm.ipc.errors import ChannelClosed
from swarm.ipc.messages import AnyMessage, ChatMessage, Hello, Ping, Result, Start
from swarm.ipc.stdio import ChildPipes, PipeChannel, open_pipes

pytestmark = pytest.mark.processes

CHILD = """
import asyncio, os, sys
from swarm.ipc.stdio import PipeChannel, claim_stdio
pipes = claim_stdio()
from swarm.ipc.bytestream import READ_SIZE
from swarm.ipc.codec import Role
from swarm.ipc.messages import *

class Worker:
    def __init__(self):
        self.channel = PipeChannel(Role.WORKER, *pipes)
        self.done = asyncio.Event()
    def message(self, message): act(self, message)
    def unreadable(self, report): pass
    def acknowledged(self, message): pass
    def closed(self, why): self.done.set()

async def main():
    worker = Worker()
    worker.channel.open(worker)
    worker.channel.send(Hello((1,), os.getpid(), "test", "3"))
    await worker.done.wait()
    await worker.channel.aclose()

def act(worker, message):
    if isinstance(message, ChatMessage):
        worker.channel.send(message)
    if isinstance(message, Start):
        ACT

asyncio.run(main())
"""
ECHO = CHILD.replace("ACT", "pass")
START = Start(1, "tests", "script", {}, "/")


def start(program: str, pipes: ChildPipes, stderr: int | None = None) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-E", "-P", "-c", program]
    child = subprocess.Popen(command, stdin=pipes.child_stdin, stdout=pipes.child_stdout, stderr=stderr)
    os.close(pipes.child_stdin)
    os.close(pipes.child_stdout)
    return child


Act = Callable[[PipeChannel, Notes], Coroutine[None, None, None]]


async def exchange(program: str, act: Act) -> Notes:
    """Run `program` as the worker and `act` on the leader's end after `start`; give what came."""
    pipes = open_pipes()
    child = start(program, pipes)
    channel = PipeChannel(Role.LEADER, pipes.read_fd, pipes.write_fd)

    def greet(message: AnyMessage) -> None:
        if isinstance(message, Hello):
            channel.send(START)

    notes = Notes(greet)
    channel.open(notes)
    try:
        await notes.until(lambda notes: notes.messages or notes.ends)
        await act(channel, notes)
    finally:
        await channel.aclose()
        await asyncio.to_thread(child.wait)
    return notes


async def nothing(channel: PipeChannel, notes: Notes) -> None:
    """Wait for the other end to go."""
    await notes.until_closed()


@pytest.mark.parametrize("run", [asyncio.run, uvloop.run], ids=["asyncio", "uvloop"])
def test_messages_go_to_a_process_and_back(run: Callable[[Coroutine[None, None, Notes]], Notes]) -> None:
    async def talk(channel: PipeChannel, notes: Notes) -> None:
        for size in (1, 100_000, 2_000_000):
            channel.send(ChatMessage("x" * size))
        await notes.until(lambda notes: len(notes.messages) == 4)

    notes = run(exchange(ECHO, talk))
    assert [len(m.text) for m in notes.messages if isinstance(m, ChatMessage)] == [1, 100_000, 2_000_000]
    assert notes.faults == []


@pytest.mark.parametrize("run", [asyncio.run, uvloop.run], ids=["asyncio", "uvloop"])
def test_a_child_that_is_killed_is_noticed(run: Callable[[Coroutine[None, None, Notes]], Notes]) -> None:
    notes = run(exchange(CHILD.replace("ACT", "os.kill(os.getpid(), 9)"), nothing))
    assert notes.ends == ["the other end closed it"]


async def test_last_words_are_heard_although_writing_fails() -> None:
    result = "worker.channel.send(Result('failed', 'last words')); os._exit(3)"

    async def write_on(channel: PipeChannel, notes: Notes) -> None:
        channel.pause_reading()
        hello = notes.messages[0]
        assert isinstance(hello, Hello)
        await asyncio.to_thread(os.waitid, os.P_PID, hello.pid, os.WEXITED | os.WNOWAIT)
        with pytest.raises(ChannelClosed, match="the other end reads no more"):
            channel.send(Ping())
        channel.resume_reading()
        await notes.until_closed()

    notes = await exchange(CHILD.replace("ACT", result), write_on)
    assert [m.text for m in notes.messages if isinstance(m, Result)] == ["last words"]
    assert len(notes.ends) == 1


async def test_prints_and_children_of_the_worker_never_touch_the_wire() -> None:
    noise = "print('noise', flush=True); os.write(1, b'noise'); os.system('echo noise; cat; echo $?')"
    program = CHILD.replace("ACT", f"{noise}; worker.channel.send(Result('succeeded', sys.stdin.read()))")

    async def wait(channel: PipeChannel, notes: Notes) -> None:
        await notes.until(lambda notes: isinstance(notes.messages[-1], Result))

    notes = await exchange(program, wait)
    assert notes.faults == []


async def test_a_line_of_100_megabytes_harms_only_itself() -> None:
    """The worker goes round its channel, as a broken one would."""
    flood = "fd = worker.channel._stream._write_fd; os.set_blocking(fd, True); "
    flood += "[os.write(fd, b'x' * 2**20) for _ in range(100)]; os.write(fd, b'\\n'); "
    program = CHILD.replace("ACT", flood + "worker.channel.send(Result('succeeded'))")

    async def wait(channel: PipeChannel, notes: Notes) -> None:
        await notes.until(lambda notes: isinstance(notes.messages[-1], Result), limit=30)

    notes = await exchange(program, wait)
    [fault] = notes.faults
    assert (fault.problem, fault.size) == ("longer than a line may be", 100 * 2**20)


async def test_a_program_that_speaks_another_language_is_reported_and_closed() -> None:
    notes = await exchange("print('Hello, world!' * 3, end='')", nothing)
    [fault] = notes.faults
    assert fault.problem == "cut off by the end of the stream"
    assert fault.excerpt == "Hello, world!" * 3


CLAIM = "from swarm.ipc.claim import claim_stdio; from swarm.ipc.errors import IpcError\n"
REFUSED = CLAIM + "try: claim_stdio()\nexcept IpcError as error: raise SystemExit(str(error))\n"


def refusal(stdin: int, stdout: int) -> str:
    command = [sys.executable, "-E", "-P", "-c", REFUSED]
    done = subprocess.run(
        command, stdin=stdin, stdout=stdout, stderr=subprocess.PIPE, encoding="utf-8", check=False
    )
    assert done.returncode == 1
    return done.stderr


def test_a_worker_started_from_a_terminal_says_who_should_start_it() -> None:
    terminal, other = pty.openpty()
    said = refusal(stdin=other, stdout=subprocess.PIPE)
    os.close(terminal)
    os.close(other)
    assert "started by `swarm run`" in said
    assert "standard input is a terminal" in said


def test_a_worker_without_pipes_says_so(tmp_path: Path) -> None:
    with (tmp_path / "output").open("wb") as file:
        assert "standard output is no pipe" in refusal(stdin=subprocess.PIPE, stdout=file.fileno())
    assert "standard input is no pipe" in refusal(stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)


def test_a_worker_with_closed_streams_says_so() -> None:
    command = f"{sys.executable} -E -P -c '{REFUSED}' <&-"
    done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True, check=False)
    assert "standard input is closed" in done.stderr


def test_claimed_descriptors_are_not_inherited() -> None:
    program = CLAIM + "import os\npipes = claim_stdio()\nprint(*map(os.get_inheritable, (*pipes, 0, 1)))"
    pipes = open_pipes()
    child = start(program, pipes, stderr=subprocess.PIPE)
    _, said = child.communicate()
    assert said.split() == [b"False", b"False", b"True", b"True"]
    assert os.read(pipes.read_fd, 100) == b""
    os.close(pipes.read_fd)
    os.close(pipes.write_fd)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells and sets how much a pipe holds")
async def test_the_pipe_from_a_worker_is_kept_short() -> None:
    pipes = open_pipes()
    channel = PipeChannel(Role.LEADER, pipes.read_fd, pipes.write_fd)
    assert fcntl.fcntl(pipes.child_stdout, fcntl.F_GETPIPE_SZ) == READ_SIZE
    await channel.aclose()
    os.close(pipes.child_stdin)
    os.close(pipes.child_stdout)
