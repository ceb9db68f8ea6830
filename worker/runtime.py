"""The life of a worker: hello, start, the agent's work, one result. Owns when it ends, not how it works."""

import os
import sys
from collections.abc import Callable

import anyio

from swarm.ipc.channel import Channel
from swarm.ipc.errors import IpcError
from swarm.ipc.messages import PROTOCOL_VERSION, Heartbeat, Hello, Result, Start
from swarm.permissions.strategies.swarm_worker import SwarmWorker
from swarm.worker.agents.base import AgentResult
from swarm.worker.assignment import Assignment, FindTool, assign, load_tool
from swarm.worker.bounds import bounded
from swarm.worker.errors import WorkerError
from swarm.worker.hold import Hold
from swarm.worker.outbox import Outbox
from swarm.worker.reception import Reception
from swarm.worker.traces import leaf, short_trace

LAST_GRACE = 5.0
"""How long a worker without a leader may take to end what it runs, in seconds."""
_SHARE = 0.8
"""The part of a shutdown's grace after which the worker ends by itself, before the leader ends it."""
_SHORTEST_BEAT = 0.02
_BEAT_BY_MAIL = 5.0
"""Each heartbeat is a letter there, and a file. In seconds."""
LAST_WORD = 10.0
"""How long a worker waits for a leader that is there to have handled the result, in seconds."""


class Runtime:
    """One worker, from its hello to its end. `force` ends the process and all below it at once."""

    def __init__(
        self, channel: Channel, force: Callable[[], None], find_tool: FindTool = load_tool
    ) -> None:
        self.assignment: Assignment | None = None
        self._channel = channel
        self._force = force
        self._find_tool = find_tool
        self._outbox = Outbox(channel)
        self._strategy = SwarmWorker(self._outbox, lambda text: self._outbox.log("warning", text))
        self._scope = anyio.CancelScope()
        self._begun = anyio.Event()
        self._limited = anyio.Event()
        self._grace = 0.0
        self._stopped = ""
        self._is_cut_off = False
        self._is_told_to_end = False
        self._hold = Hold()
        self._sending = anyio.CancelScope()
        self._result_taken = anyio.Event()

    def __repr__(self) -> str:
        state = self._stopped or ("running" if self.assignment else "waiting for its start")
        return f"<Runtime {state}, {self._strategy.waiting} calls asked>"

    @property
    def is_held(self) -> bool:
        """Whether it waits for another leader."""
        return self._hold.is_on

    async def run(self) -> bool:
        """Live, and tell whether a result was sent."""
        self._channel.open(Reception(self, self._strategy, self._outbox))
        self._outbox.post(hello())
        try:
            async with anyio.create_task_group() as group:
                group.start_soon(self._beat)
                group.start_soon(self._keep_limit)
                sent = await self._live()
                group.cancel_scope.cancel()
        finally:
            if self.assignment:
                self.assignment.host.close()
                self.assignment.journal.close()
        return sent

    def begin(self, start: Start) -> None:
        """Begin with the work; once."""
        if self.assignment is None:
            self.assignment = assign(start, self._strategy, self._outbox, self._find_tool, self._hold)
            self._begun.set()

    def stop(self, why: str, grace: float | None = None) -> None:
        """Cancel the work. After most of `grace` seconds the process ends in any case."""
        self._stopped = self._stopped or why or "it was asked to stop"
        self._is_told_to_end |= grace is not None
        if grace is not None and not self._limited.is_set():
            self._grace = max(grace * _SHARE, 0.0)
            self._limited.set()
        if self.assignment:
            self.assignment.gate.close(self._stopped)
        self._scope.cancel()

    def terminate(self, why: str) -> None:
        """End: in order with a result if there is a leader, else at once without one."""
        self._is_told_to_end = True
        if self._hold.is_on:
            self.cut_off(why)
        else:
            self.stop(why)

    def cut_off(self, why: str) -> None:
        """Cancel the work: no leader is left, so nothing may be run any more."""
        self._is_cut_off = True
        self._sending.cancel()
        self.stop(why, LAST_GRACE)

    def hold(self, why: str) -> bool:
        """Begin nothing until another leader goes on; False if there is nothing to wait for."""
        if self._is_told_to_end:
            return False
        self._hold.begin(why)
        return True

    def go_on(self, mode: str) -> None:
        """Go on with the work under another leader, in this permission mode."""
        if self.assignment:
            self.assignment.host.mode = mode
        self._hold.end()

    def result_taken(self) -> None:
        """Take note that the leader has the result."""
        self._result_taken.set()

    async def _live(self) -> bool:
        ended: Result | None = None
        with self._scope:
            await self._begun.wait()
            ended = await self._work()
        if self.assignment is None or self._is_cut_off:
            await self._channel.aclose()
            return False
        if ended is None or (self._stopped and ended.status == "failed"):
            ended = Result(status="cancelled", text=self._stopped)
        return await self._send(ended)

    async def _work(self) -> Result:
        assert self.assignment is not None
        try:
            result = await self.assignment.perform()
        except Exception as error:
            cause = leaf(error)
            text = str(cause) if isinstance(cause, WorkerError) else short_trace(error)
            result = AgentResult("failed", text)
        return Result(status=result.status, text=bounded(result.text), refused=result.refused)

    async def _send(self, result: Result) -> bool:
        """Send the result, once, and wait until the leader has taken it or is gone."""
        is_sent = False
        try:
            with self._sending:
                await self._channel.drain()
                self._channel.send(result)
                await self._channel.flush()
                await self._taken()
                is_sent = True
        except IpcError:
            return False
        finally:
            await self._channel.aclose()
        return is_sent

    async def _taken(self) -> None:
        """Wait until the leader has handled the result, where another could go on that has not got it."""
        assert self.assignment is not None
        while self.assignment.start.session and not self._result_taken.is_set():
            with anyio.move_on_after(LAST_WORD):
                await self._result_taken.wait()
            if not self._hold.is_on:
                return

    async def _beat(self) -> None:
        await self._begun.wait()
        assert self.assignment is not None
        while True:
            shortest = _BEAT_BY_MAIL if self._hold.was_on else _SHORTEST_BEAT
            await anyio.sleep(max(self.assignment.start.heartbeat, shortest))
            self._outbox.post(Heartbeat())

    async def _keep_limit(self) -> None:
        await self._limited.wait()
        await anyio.sleep(self._grace)
        self._force()


def hello() -> Hello:
    """Tell who this worker is."""
    return Hello(
        protocols=(PROTOCOL_VERSION,),
        pid=os.getpid(),
        program="swarm.worker",
        python=".".join(map(str, sys.version_info[:3])),
    )
