"""Real worker processes for tests, driven over pipes."""

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import anyio
import psutil

from support.waiting import until
from support.working import LONG, FakeLeader
from swarm.ipc.codec import Role
from swarm.ipc.stdio import PipeChannel, open_pipes

WORKER = [sys.executable, "-E", "-P", "-m", "swarm.worker"]


@dataclass
class Spawned(FakeLeader):
    """The leader's end of a real worker."""

    process: asyncio.subprocess.Process = field(kw_only=True)

    async def exit_status(self) -> int:
        """Wait for the end of the process."""
        with anyio.fail_after(LONG):
            return await self.process.wait()


@asynccontextmanager
async def spawned(cwd: Path) -> AsyncIterator[Spawned]:
    """Start a worker that leads a session of its own, as a leader does; at the end it ends."""
    pipes = open_pipes()
    process = await asyncio.create_subprocess_exec(
        *WORKER,
        stdin=pipes.child_stdin,
        stdout=pipes.child_stdout,
        stderr=subprocess.PIPE,
        cwd=cwd,
        start_new_session=True,
    )
    os.close(pipes.child_stdin)
    os.close(pipes.child_stdout)
    channel = PipeChannel(Role.LEADER, pipes.read_fd, pipes.write_fd)
    leader = Spawned(channel, cwd, is_allowing=True, process=process)
    try:
        yield leader
    finally:
        await leader.channel.aclose()
        if process.returncode is None:
            with anyio.move_on_after(LONG, shield=True) as scope:
                await process.wait()
            if scope.cancelled_caught:
                process.kill()
        process._transport.close()  # type: ignore[attr-defined]  # asyncio offers no other way to close it


def is_running(pid: int) -> bool:
    """Whether there is such a process, and it is no zombie."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


async def running_child(leader: Spawned, tmp_path: Path) -> int:
    """Start a step whose child notes its process id, and give that."""
    note = tmp_path / "pid"
    await leader.start({"bash": f"sleep 1000 & echo $! > {note}.new && mv {note}.new {note}; wait"})
    await until(note.exists)
    pid = int(note.read_text())
    assert is_running(pid)
    return pid
