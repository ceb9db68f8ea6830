"""Real workers that take too much, and ones that a person lets stand still."""

import signal
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import psutil

from support.leading import Led, leading, script
from support.waiting import until
from swarm.leader.core.processes import MARK
from swarm.leader.core.views import WorkerPhase

MIB = 1024**2
HOG = f"{sys.executable} -c 'import time; kept = bytearray({300 * MIB}); time.sleep(600)'"
FLOOD = f"{sys.executable} -c 'print(\"x\" * {4 * MIB})'; sleep 600"
# A sleeper in a session of its own whose parent is gone: only its mark tells whose it is.
DAEMON = "(setsid sleep 601 &) ; sleep 600"


def bash(command: str) -> Mapping[str, Any]:
    return {"bash": {"command": command}}


def tree_of(worker: str) -> list[psutil.Process]:
    found = []
    for process in psutil.process_iter():
        try:
            if f"/{worker}/" in process.environ().get(MARK, ""):
                found.append(process)
        except psutil.Error:
            continue
    return found


def states(worker: str) -> set[str]:
    found = set()
    for process in tree_of(worker):
        try:
            found.add(str(process.status()))
        except psutil.Error:
            continue
    return found


def sleeps(worker: str) -> bool:
    for process in tree_of(worker):
        try:
            if "601" in process.cmdline():
                return True
        except psutil.Error:
            continue
    return False


async def test_a_worker_whose_processes_take_too_much_memory_is_ended_whole(tmp_path: Path) -> None:
    worker = script("hog", tmp_path, bash(HOG), memory=200 * MIB)
    async with leading(tmp_path, worker, allow=["Bash"]) as led:
        assert await led.end() == 1, led.told()
        assert led.phase("hog") is WorkerPhase.FAILED
        assert "of memory, its limit is 200 MiB" in led.worker("hog").activity
        assert tree_of("hog") == []


async def test_a_worker_that_sends_too_much_is_stopped(tmp_path: Path) -> None:
    worker = script("flood", tmp_path, bash(FLOOD), output=1 * MIB, retries=5)
    async with leading(tmp_path, worker, allow=["Bash"]) as led:
        assert await led.end() == 1, led.told()
        assert led.worker("flood").attempt == 1
        assert "of output, its limit is 1 MiB" in led.worker("flood").activity


async def stand_still(led: Led, worker: str) -> None:
    await until(lambda: sleeps(worker))
    await led.leader.pause(worker)
    await until(lambda: states(worker) == {psutil.STATUS_STOPPED})


async def test_a_paused_worker_stands_still_with_all_that_left_its_session_and_goes_on(
    tmp_path: Path,
) -> None:
    async with leading(tmp_path, script("calm", tmp_path, bash(DAEMON)), allow=["Bash"]) as led:
        await stand_still(led, "calm")
        assert led.worker("calm").paused
        assert led.phase("calm") is WorkerPhase.RUNNING
        await led.leader.unpause()
        await until(lambda: psutil.STATUS_STOPPED not in states("calm"))
        assert not led.worker("calm").paused
        await led.leader.stop()
        assert await led.end() == 130


async def test_a_paused_worker_can_be_stopped(tmp_path: Path) -> None:
    async with leading(tmp_path, script("calm", tmp_path, bash(DAEMON)), allow=["Bash"]) as led:
        await stand_still(led, "calm")
        await led.leader.stop("calm")
        await led.end()
        assert led.phase("calm") is WorkerPhase.CANCELLED
        assert tree_of("calm") == []


async def test_a_paused_worker_that_is_killed_does_not_start_again_before_it_may_go_on(
    tmp_path: Path,
) -> None:
    worker = script("calm", tmp_path, bash(DAEMON), retries=1)
    async with leading(tmp_path, worker, allow=["Bash"]) as led:
        await stand_still(led, "calm")
        pid = led.worker("calm").pid
        assert pid is not None
        psutil.Process(pid).send_signal(signal.SIGKILL)
        await until(lambda: led.phase("calm") is WorkerPhase.BACKOFF)
        await led.leader.unpause("calm")
        await until(lambda: led.worker("calm").attempt == 2)
        await led.leader.stop()
        await led.end()
