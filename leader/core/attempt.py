"""One attempt to run one worker: its process, its connection and its end. Decides nothing."""

import asyncio
import os
import time
from collections.abc import Callable

import anyio
import anyio.to_thread

from swarm.ipc.codec import Role
from swarm.ipc.stdio import PipeChannel
from swarm.ipc.stream_channel import StreamChannel
from swarm.leader.core.launcher import Launcher, LaunchOrder, WorkerProcess, describe_exit
from swarm.leader.core.link import House, Link
from swarm.leader.core.processes import TERM_GRACE, end_tree
from swarm.leader.plan.resolved import WorkerPlan

LAST_BYTES = 0.5  # seconds that a worker's last messages may take to arrive after its exit
MUTE_LIMIT = 10.0  # seconds that a worker whose way has ended may take to come on another
CRASH_GRACE = 0.5  # seconds between SIGTERM and SIGKILL for what a dead worker left behind
_CHUNK = 65_536


class Attempt:
    """From the launch of a worker's process until nothing of its tree is left."""

    def __init__(self, plan: WorkerPlan, number: int, color: str, mark: str, house: House) -> None:
        self.plan = plan
        self.number = number
        self.mark = mark
        self._color = color
        self._house = house
        self._process: WorkerProcess | None = None
        self._channels: list[StreamChannel] = []
        self._exited = anyio.Event()

    def __repr__(self) -> str:
        pid = self._process.pid if self._process else None
        return f"<Attempt {self.mark} pid={pid} exited={self._exited.is_set()}>"

    @property
    def pid(self) -> int:
        """The worker's process id, which is its session's and its group's too."""
        assert self._process is not None
        return self._process.pid

    @property
    def bytes_sent(self) -> int:
        """How much the worker has sent, stderr not counted."""
        return sum(channel.bytes_read for channel in self._channels)

    def launch(self, launcher: Launcher, environment: dict[str, str]) -> None:
        """Start the process and begin to listen to it. Raises OSError."""
        process = launcher.launch(LaunchOrder(self.mark, self.plan.cwd, environment))
        self.adopt(process)
        self.bind(PipeChannel(Role.LEADER, process.stdout, process.stdin))

    def adopt(self, process: WorkerProcess) -> None:
        """Go on with a process that is there; it is heard as soon as it comes on a channel."""
        self._process = process
        self.link = Link(self.plan.name, self._color, self.number, None, self._house, time.monotonic)

    def bind(self, channel: StreamChannel) -> None:
        """Hear the worker on this channel from now on, which closes at the end of the attempt."""
        self._channels.append(channel)
        self.link.bind(channel)

    async def follow(self, log: Callable[[str, bytes], None], gone: Callable[[str, str], None]) -> str:
        """Wait for the process's exit, end what it left, and give how it ended, as a sentence.

        `log` gets what it writes to stderr, `gone` is called as soon as it has exited.
        """
        assert self._process is not None
        async with anyio.create_task_group() as tasks:
            if self._process.stderr >= 0:
                tasks.start_soon(drain, self._process.stderr, lambda data: log(self.plan.name, data))
            tasks.start_soon(self._watch_silence)
            how = describe_exit(await self._process.exited())
            self._exited.set()
            with anyio.move_on_after(LAST_BYTES):
                await self.link.ended.wait()
            gone(self.plan.name, how)
            await end_tree(self.pid, self.mark, CRASH_GRACE)
            # The tree is gone, so its end of the pipe is closed and `drain` has what is left at once.
            tasks.cancel_scope.deadline = anyio.current_time() + LAST_BYTES
        return how

    async def _watch_silence(self) -> None:
        """A worker that has closed its output, and comes on no other way, can neither ask nor tell."""
        while True:
            await self.link.ended.wait()
            with anyio.move_on_after(MUTE_LIMIT) as limit:
                await self.link.bound.wait()
            if limit.cancelled_caught and self.link.ended.is_set():
                break
        if not self._exited.is_set():
            self._house.broke(self.link, "it has closed its output but lives on")

    async def end(self, grace: float = TERM_GRACE) -> None:
        """End the whole process tree by signals."""
        if self._process is not None and not self._exited.is_set():
            await end_tree(self.pid, self.mark, grace)

    async def clean_up(self) -> None:
        """Leave neither a process nor a descriptor behind, also if the caller was cancelled."""
        with anyio.CancelScope(shield=True):
            assert self._process is not None
            await self.end(0.0)
            await anyio.to_thread.run_sync(self._process.reap)
            for channel in self._channels:
                await channel.aclose()
            if self._process.stderr >= 0:
                os.close(self._process.stderr)


async def drain(descriptor: int, take: Callable[[bytes], None]) -> None:
    """Read a pipe to its end, so that who writes it is never blocked by it."""
    os.set_blocking(descriptor, False)
    loop = asyncio.get_running_loop()
    ended = anyio.Event()

    def read() -> None:
        try:
            data = os.read(descriptor, _CHUNK)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if data:
            take(data)
        else:
            loop.remove_reader(descriptor)
            ended.set()

    loop.add_reader(descriptor, read)
    try:
        await ended.wait()
    finally:
        loop.remove_reader(descriptor)
