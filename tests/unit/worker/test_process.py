"""The worker as a real process, driven over pipes."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio
import psutil

from support.working import LONG, FakeLeader
from swarm.ipc.codec import Role
from swarm.ipc.messages import (
    Cancel,
    Hello,
    PermissionRequest,
    Text,
)
from swarm.ipc.stdio import PipeChannel, open_pipes

WORKER = [sys.executable, "-E", "-P", "-m", "swarm.worker"]


@dataclass
class Spawned(FakeLeader):
    """The leader's end of a real worker."""

    process: asyncio.subprocess.Process = field(kw_only=True)

    async def exit_status(self) -> int:
        with anyio.fail_after(LONG):
            return await self.process.wait()


@asynccontextmanager
async def spawned(cwd: Path) -> AsyncIterator[Spawned]:
    pipes = open_pipes()
    process = await asyncio.create_subprocess_exec(
        *WORKER, stdin=pipes.child_stdin, stdout=pipes.child_stdout, stderr=subprocess.PIPE, cwd=cwd
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


async def until_true(holds: Callable[[], Any]) -> None:
    with anyio.fail_after(LONG):
        while not holds():
            await anyio.sleep(0.01)


def is_running(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


async def test_a_real_worker_runs_its_steps_and_exits_with_0(tmp_path: Path) -> None:
    async with spawned(tmp_path) as leader:
        await leader.start({"write": {"path": "a.txt", "content": "one"}}, {"bash": "cat a.txt; echo two"})
        assert await leader.exit_status() == 0
    assert (await leader.end()).status == "succeeded"
    assert "onetwo" in (await leader.end()).text
    assert (tmp_path / "a.txt").read_text() == "one"
    assert leader.all(Hello)[0].pid == leader.process.pid


async def test_the_process_ends_with_an_error_when_nobody_started_it(tmp_path: Path) -> None:
    async with spawned(tmp_path) as leader:
        await leader.first(Hello)
        await leader.channel.aclose()
        assert await leader.exit_status() == 1


def test_a_person_who_starts_a_worker_is_told_what_it_is() -> None:
    done = subprocess.run(WORKER, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    assert done.stderr


async def running_child(leader: Spawned, tmp_path: Path) -> int:
    """Start a step whose child notes its process id, and give that."""
    note = tmp_path / "pid"
    await leader.start({"bash": f"sleep 1000 & echo $! > {note}.new && mv {note}.new {note}; wait"})
    await until_true(note.exists)
    pid = int(note.read_text())
    assert is_running(pid)
    return pid


async def test_cancel_reaches_the_running_child(tmp_path: Path) -> None:
    async with spawned(tmp_path) as leader:
        child = await running_child(leader, tmp_path)
        leader.channel.send(Cancel(why="enough"))
        assert await leader.exit_status() == 0
        assert (await leader.end()).status == "cancelled"
        assert not is_running(child)


async def test_the_leaders_end_ends_the_running_child(tmp_path: Path) -> None:
    async with spawned(tmp_path) as leader:
        child = await running_child(leader, tmp_path)
        await leader.channel.aclose()
        assert await leader.exit_status() == 1
        assert not is_running(child)


async def test_the_leaders_end_while_asking_runs_nothing(tmp_path: Path) -> None:
    async with spawned(tmp_path) as leader:
        leader.is_allowing = False
        await leader.start({"bash": "touch ran", "continue_on_error": True}, {"bash": "touch ran"})
        await leader.first(PermissionRequest)
        await leader.channel.aclose()
        assert await leader.exit_status() == 1
    assert not (tmp_path / "ran").exists()


async def test_sigterm_cancels_and_the_result_is_sent(tmp_path: Path) -> None:
    async with spawned(tmp_path) as leader:
        child = await running_child(leader, tmp_path)
        leader.process.send_signal(signal.SIGTERM)
        assert await leader.exit_status() == 0
        assert (await leader.end()).status == "cancelled"
        assert "SIGTERM" in (await leader.end()).text
        assert not is_running(child)


async def test_a_second_sigterm_ends_all_at_once(tmp_path: Path) -> None:
    async with spawned(tmp_path) as leader:
        note = tmp_path / "pid"
        tell = f"echo $$ > {note}.new && mv {note}.new {note}"
        await leader.start({"bash": f"trap '' TERM; {tell}; while :; do sleep 1; done"})
        await until_true(note.exists)
        with anyio.fail_after(LONG):
            while leader.process.returncode is None:
                leader.process.send_signal(signal.SIGTERM)
                await anyio.sleep(0.02)
        assert leader.process.returncode == 128 + signal.SIGTERM
        assert not is_running(int(note.read_text()))


async def test_ctrl_c_is_the_leaders_business(tmp_path: Path) -> None:
    async with spawned(tmp_path) as leader:
        await leader.first(Hello)
        leader.process.send_signal(signal.SIGINT)
        await leader.start(
            {"bash": "sh -c 'kill -INT $$; echo immune'", "continue_on_error": True}, {"say": "alive"}
        )
        await leader.first(Text)
        assert await leader.exit_status() == 0
        assert (await leader.end()).status == "succeeded"
        assert "immune" not in (await leader.end()).text
