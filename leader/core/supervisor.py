"""Runs the workers: one inbox of events, the pure step, and the effects that it asks for."""

import os
import random
import time
from collections import deque
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import replace
from typing import Any, Protocol, assert_never

import anyio
import anyio.abc
import anyio.to_thread

from swarm.ipc.messages import Ping, Shutdown
from swarm.leader.core.attempt import Attempt
from swarm.leader.core.launcher import Launcher, WorkerProcess
from swarm.leader.core.link import House, Link
from swarm.leader.core.machine import TreeMemory, read_machine
from swarm.leader.core.pauses import Waker, freeze, thaw
from swarm.leader.core.processes import end_adopted, reap_orphans
from swarm.leader.core.step import step
from swarm.leader.core.strays import watch_strays
from swarm.leader.core.team import (
    ALIVE,
    SILENCE_LIMIT,
    Adopt,
    AskToStop,
    Began,
    Broke,
    EndTree,
    Exited,
    Held,
    Launch,
    Launched,
    PhaseChanged,
    SetPaused,
    TeamEffect,
    TeamEvent,
    TeamState,
    Ticked,
    WorkerState,
)
from swarm.leader.core.worker_environment import worker_environment
from swarm.leader.core.worker_limits import over_memory, over_output

TICK = 0.1  # seconds
STOOD_STILL = 5.0  # seconds between two ticks after which it was this process that did not run
LOOK = 1.0  # seconds between two looks at the machine and at what workers take of it


class Watcher(Protocol):
    """Who is told how the team fares. Called from the event loop; must not block."""

    def phase_changed(self, worker: WorkerState, detail: str) -> None:
        """A worker entered its present phase."""

    def worker_ended(self, name: str, why: str) -> None:
        """A worker's process tree is being ended by signals."""

    def worker_held(self, name: str, why: str, is_new: bool) -> None:
        """A worker that could start waits for this; `is_new` if it waited for something else before."""

    def worker_paused(self, name: str, paused: bool) -> None:
        """A worker stands still from now on, or goes on."""

    def strays_ended(self, names: list[str]) -> None:
        """Processes were ended that workers had left behind and that belonged to no living one."""

    def waiting(self) -> frozenset[str]:
        """Give the workers that wait for a person."""

    def worker_gone(self, name: str, how: str, expected: bool) -> None:
        """A worker's process has exited; what is left of its tree is being ended."""


class Supervisor:
    """Leads all workers of a team from their launch until nothing of them is left.

    `found` are the processes of workers that `state` has alive from the start.
    """

    def __init__(
        self,
        state: TeamState,
        launcher: Launcher,
        session_id: str,
        colors: dict[str, str],
        house: House,
        watcher: Watcher,
        log: Callable[[str, bytes], None],
        found: Mapping[str, WorkerProcess] | None = None,
    ) -> None:
        self.state = state
        self.attempts: dict[str, Attempt] = {}
        self._launcher = launcher
        self._session_id = session_id
        self._colors = colors
        self._house = house
        self._watcher = watcher
        self._log = log
        self._found = found or {}
        self._inbox: deque[TeamEvent] = deque()
        self._is_stepping = False
        self._over = anyio.Event()
        self._tasks: anyio.abc.TaskGroup | None = None
        self._waker = Waker()
        self._pausing = anyio.Lock()
        self._sent: dict[str, int] = {}  # bytes of output of attempts that are over

    def __repr__(self) -> str:
        alive = sum(worker.phase in ALIVE for worker in self.state.workers.values())
        return f"<Supervisor workers={len(self.state.workers)} alive={alive}>"

    async def run(self) -> None:
        """Lead the team until every worker has ended. If cancelled, no process is left behind."""
        try:
            async with anyio.create_task_group() as tasks:
                self._tasks = tasks
                tasks.start_soon(self._tick)
                tasks.start_soon(watch_strays, self._roots, self._watcher.strays_ended)
                tasks.start_soon(self._check_machine)
                if self.state.max_parallel == "auto":
                    self.state = replace(self.state, readings=read_machine())
                self.post(Began())
                await self._over.wait()
                tasks.cancel_scope.cancel()
        finally:
            await self.end_all()
            self._waker.close()

    def post(self, event: TeamEvent) -> None:
        """Take one event in; it is worked off in order, at once if none is being worked off."""
        self._inbox.append(event)
        if self._is_stepping:
            return
        self._is_stepping = True
        try:
            while self._inbox:
                self._take(self._inbox.popleft())
        finally:
            self._is_stepping = False

    def link(self, worker: str) -> Link | None:
        """Give the connection to a worker whose process runs."""
        attempt = self.attempts.get(worker)
        return attempt.link if attempt else None

    async def end_all(self) -> None:
        """End every process of the team at once. Idempotent; runs to its end if the caller is cancelled."""
        with anyio.CancelScope(shield=True):
            async with anyio.create_task_group() as tasks:
                for attempt in list(self.attempts.values()):
                    tasks.start_soon(attempt.end, 0.0)
            await anyio.to_thread.run_sync(end_adopted, [*self._roots()])
            reap_orphans(self._roots())

    def _take(self, event: TeamEvent) -> None:
        self.state, effects = step(self.state, event, time.time())
        for effect in effects:
            self._carry_out(effect)
        if self.state.over:
            self._over.set()

    def _carry_out(self, effect: TeamEffect) -> None:
        match effect:
            case Launch():
                self._start(self._lead, effect.worker, effect.attempt)
            case Adopt():
                self._start(self._lead, effect.worker, effect.attempt, self._found[effect.worker])
            case AskToStop():
                self._send_shutdown(effect)
            case EndTree():
                self._end_tree(effect)
            case SetPaused():
                self._start(self._settle_pause, effect.worker)
                self._watcher.worker_paused(effect.worker, effect.paused)
            case Held():
                self._watcher.worker_held(effect.worker, effect.why, effect.is_new)
            case PhaseChanged():
                self._watcher.phase_changed(self.state.workers[effect.worker], effect.detail)
            case _:
                assert_never(effect)

    def _end_tree(self, effect: EndTree) -> None:
        attempt = self.attempts.get(effect.worker)
        if attempt:
            self._watcher.worker_ended(effect.worker, effect.why)
            self._start(attempt.end, *([0.0] if effect.at_once else []))

    def _start(self, function: Callable[..., Coroutine[Any, Any, None]], *arguments: object) -> None:
        assert self._tasks is not None
        self._tasks.start_soon(function, *arguments)

    def _send_shutdown(self, effect: AskToStop) -> None:
        link = self.link(effect.worker)
        if link:
            link.send(Shutdown(why=effect.why, grace=effect.grace))

    async def _lead(self, name: str, number: int, found: WorkerProcess | None = None) -> None:
        """See one attempt of one worker from its launch until nothing of it is left."""
        attempt = Attempt(
            plan=self.state.workers[name].plan,
            number=number,
            color=self._colors[name],
            mark=f"{self._session_id}/{name}/{number}",
            house=self._house,
        )
        try:
            if found is None:
                attempt.launch(self._launcher, worker_environment(os.environ))
            else:
                attempt.adopt(found)
        except OSError as error:
            how = f"it could not be started: {error.strerror or error}"
            self.post(Exited(name, number, how, random.random()))
            return
        self.attempts[name] = attempt
        self.post(Launched(name, number, attempt.pid))
        if found is not None or self.state.workers[name].paused:
            self._start(self._settle_pause, name)
        try:
            how = await attempt.follow(self._log, self._gone)
        finally:
            await attempt.clean_up()
            self.attempts.pop(name, None)
            self._sent[name] = self._sent.get(name, 0) + attempt.bytes_sent
        self.post(Exited(name, number, how, random.random()))

    async def _settle_pause(self, name: str) -> None:
        """Let a worker's tree stand still or go on, as is wanted by now."""
        async with self._pausing:
            attempt, workers = self.attempts.get(name), self.state.workers
            if attempt is None:
                return
            paused = (other for other in self.attempts.values() if workers[other.plan.name].paused)
            self._waker.watch(other.pid for other in paused)
            act = freeze if workers[name].paused else thaw
            await anyio.to_thread.run_sync(act, attempt.pid, attempt.mark)
            attempt.link.heard = time.monotonic()

    def _gone(self, name: str, how: str) -> None:
        worker = self.state.workers[name]
        self._watcher.worker_gone(name, how, expected=worker.ending is not None)

    async def _tick(self) -> None:
        before = time.monotonic()
        while True:
            await anyio.sleep(TICK)
            if time.monotonic() - before > STOOD_STILL:  # by Ctrl-Z, say: first hear what came meanwhile
                before = time.monotonic()
                for attempt in self.attempts.values():
                    attempt.link.heard = before
                continue
            self._look_for_silence()
            for over in over_output(self.state.workers, self._output()):
                self.post(over)
            now = time.monotonic()
            self.post(Ticked(now - before, self._watcher.waiting()))
            before = now

    def _look_for_silence(self) -> None:
        now = time.monotonic()
        for name, attempt in list(self.attempts.items()):
            if self.state.workers[name].paused:
                attempt.link.heard = now
            silence = now - attempt.link.heard
            if silence > SILENCE_LIMIT:
                attempt.link.heard = now  # so that it is said once per limit
                why = f"nothing was heard of it for {silence:.0f} s"
                self.post(Broke(name, attempt.number, why))
            elif silence > SILENCE_LIMIT / 2:
                attempt.link.send(Ping())

    def _output(self) -> dict[str, int]:
        return {
            name: self._sent.get(name, 0) + attempt.bytes_sent for name, attempt in self.attempts.items()
        }

    async def _check_machine(self) -> None:
        """Look at the machine, where it counts, and at what the trees take of it."""
        memory = TreeMemory()
        while True:
            await anyio.sleep(LOOK)
            if self.state.max_parallel == "auto":
                self.post(Ticked(readings=read_machine()))
            limited = {
                attempt.pid: (name, attempt.mark)
                for name, attempt in self.attempts.items()
                if attempt.plan.memory is not None
            }
            if limited:
                roots = {pid: mark for pid, (_, mark) in limited.items()}
                taken = await anyio.to_thread.run_sync(memory.measure, roots)
                by_name = {limited[pid][0]: size for pid, size in taken.items()}
                for over in over_memory(self.state.workers, by_name):
                    self.post(over)

    def _roots(self) -> dict[int, str]:
        return {attempt.pid: attempt.mark for attempt in self.attempts.values()}
