"""Runs one shell command, streams its output, and leaves nothing of it running. Asks nobody."""

import codecs
import os
import subprocess
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from math import inf
from pathlib import Path

import anyio
import anyio.lowlevel

from swarm.worker.errors import ToolError
from swarm.worker.tools.base import ToolContext
from swarm.worker.tools.output_tail import BoundedOutput
from swarm.worker.tools.process_tree import MARK, CallTree
from swarm.worker.tools.shell_command import shell_command

LINGER = 0.2
"""How long a pipe that a background process holds is read on after the shell's exit, in seconds."""

_READ_SIZE = 64 * 1024
_READ_AFTER_EXIT = 1024 * 1024
_POLL = 0.02


@dataclass(slots=True)
class ShellRun:
    """One command while it runs, and how it went.

    `status` is the exit status as `subprocess` gives it, negative for a signal; None if it was stopped.
    `is_held` tells that a background process kept the output open, `left_running` that some still ran.
    """

    output: BoundedOutput = field(default_factory=BoundedOutput)
    status: int | None = None
    is_held: bool = False
    left_running: bool = False
    over_time: bool = False
    _deadline: float = inf
    _waiting: anyio.CancelScope | None = None


async def run_shell(command: str, seconds: float, context: ToolContext) -> ShellRun:
    """Run a command to its end or for this long. Raises ToolError if it cannot be started."""
    run = ShellRun()
    mark = os.urandom(8).hex()
    process = _start(command, {**context.env, MARK: mark}, context.cwd)
    assert process.stdout is not None
    try:
        with anyio.move_on_after(seconds) as limit:
            await _follow(process, process.stdout.fileno(), run, context.emit)
        run.over_time = limit.cancelled_caught
    finally:
        process.stdout.close()
        with anyio.CancelScope(shield=True):
            run.left_running = await CallTree(process.pid, mark).end()
        status = (
            process.poll()
        )  # not before: the unreaped shell keeps its id, and so its group's, from reuse
    run.status = None if run.over_time else status
    return run


def _start(command: str, env: dict[str, str], cwd: Path) -> subprocess.Popen[bytes]:
    """Start the shell in a group of its own, but in the worker's session, where the leader finds it."""
    arguments = shell_command(command, env)
    try:
        process = subprocess.Popen(
            arguments,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=env,
            cwd=cwd,
            process_group=0,
        )
    except (OSError, ValueError) as error:
        raise ToolError(f"The shell could not be started in {cwd}, so nothing was run: {error}.") from error
    assert process.stdout is not None
    os.set_blocking(process.stdout.fileno(), False)
    return process


async def _follow(
    process: subprocess.Popen[bytes], pipe: int, run: ShellRun, emit: Callable[[str], Awaitable[None]]
) -> None:
    """Read until the shell has exited and its output has ended, or has been held open for too long."""
    async with anyio.create_task_group() as group:
        group.start_soon(_watch, process, run)
        await _read(pipe, run, emit)


async def _watch(process: subprocess.Popen[bytes], run: ShellRun) -> None:
    """Wait for the shell itself, not for its pipe, and from then on let the pipe linger only."""
    await _exited(process)
    run._deadline = anyio.current_time() + LINGER
    if run._waiting is not None:
        run._waiting.deadline = run._deadline


async def _exited(process: subprocess.Popen[bytes]) -> None:
    """Wait for a child's exit without reaping it."""
    if not hasattr(os, "pidfd_open"):
        await _poll_until_exited(process.pid)
        return
    watched = os.pidfd_open(process.pid)
    try:
        await anyio.wait_readable(watched)
    finally:
        os.close(watched)


async def _poll_until_exited(pid: int) -> None:
    flags = os.WEXITED | os.WNOHANG | os.WNOWAIT
    while True:
        if os.waitid(os.P_PID, pid, flags) is not None:  # noqa: ASYNC222 - WNOHANG does not block
            return
        await anyio.sleep(_POLL)


async def _read(pipe: int, run: ShellRun, emit: Callable[[str], Awaitable[None]]) -> None:
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    after_exit = 0
    while after_exit < _READ_AFTER_EXIT:
        data = await _next(pipe, run)
        if data is None:
            break
        after_exit += len(data) if run._deadline < inf else 0
        text = decoder.decode(data, final=not data)
        run.output.add(text)
        if text:
            await emit(text)
        if not data:
            return
        await anyio.lowlevel.checkpoint()  # a flood must let the time limit and all others have their turn
    run.is_held = True


async def _next(pipe: int, run: ShellRun) -> bytes | None:
    """Give what can be read next; empty at the end, None if nothing comes and the shell has exited."""
    while True:
        try:
            return os.read(pipe, _READ_SIZE)
        except BlockingIOError:
            pass
        with anyio.CancelScope(deadline=run._deadline) as run._waiting:
            await anyio.wait_readable(pipe)
        if run._waiting.cancelled_caught:
            return None
