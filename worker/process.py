"""The worker as a process: its signals, event loop and exit status. Safe to import before a fork."""

import contextlib
import os
import signal
from types import FrameType

import anyio

from swarm.worker.children import kill_tree
from swarm.worker.runtime import Runtime, hello

_KILLED = 128 + signal.SIGTERM


def serve(read_fd: int, write_fd: int) -> int:
    """Be a worker on these descriptors until the end, and give the exit status: 0 if a result was sent."""
    # A handler, not SIG_IGN: what is ignored would stay ignored in everything that the tools start.
    signal.signal(signal.SIGINT, _leave_to_the_leader)
    return anyio.run(_serve, read_fd, write_fd)


async def _serve(read_fd: int, write_fd: int) -> int:
    from swarm.ipc.codec import Role
    from swarm.ipc.failover import FailoverChannel
    from swarm.ipc.stdio import PipeChannel
    from swarm.ipc.ways import MailWays

    channel = FailoverChannel(PipeChannel(Role.WORKER, read_fd, write_fd), MailWays(), hello)
    runtime = Runtime(channel, end_at_once)
    channel.on_hold = lambda why: _hold(runtime, why)
    async with anyio.create_task_group() as group:
        group.start_soon(_heed_signals, runtime)
        sent = await runtime.run()
        group.cancel_scope.cancel()
    if not sent:
        kill_tree()
    return 0 if sent else 1


async def _heed_signals(runtime: Runtime) -> None:
    """Cancel on the first SIGTERM, end at once on the second."""
    with anyio.open_signal_receiver(signal.SIGTERM) as signals:
        is_first = True
        async for _ in signals:
            if not is_first:
                end_at_once()
            is_first = False
            runtime.terminate("The worker was told to terminate (SIGTERM).")


def _hold(runtime: Runtime, why: str) -> bool:
    """Wait for another leader; what the worker prints has no reader any more, and must not end it."""
    with contextlib.suppress(OSError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        os.close(nowhere)
    return runtime.hold(why)


def end_at_once() -> None:
    """End this process and all below it, without any further word."""
    kill_tree()
    os._exit(_KILLED)


def _leave_to_the_leader(signum: int, frame: FrameType | None) -> None:
    """Do nothing about Ctrl-C, which the terminal sends to all: the leader stops its workers."""
