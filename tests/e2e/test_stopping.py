"""However badly a run can end, it ends within its time, and nothing that it started is left."""

import os
import signal
import subprocess
import time
from pathlib import Path

import psutil
import pytest

from support.plans import bash, write_plan
from support.programs import PROGRAM, Led, led, living
from support.waiting import wait_until
from swarm.leader.headless.failsafe import AGAIN_LIMIT, FIRST_LIMIT

STUBBORN = "#!/bin/sh\ntrap '' INT TERM HUP; while :; do sleep 60; done\n"
ANY = {"mode": "bypassPermissions"}
AT_WORK = "sleep"


def below(run: Led) -> list[psutil.Process]:
    """Wait until the worker's command runs, and give all processes."""
    wait_until(lambda: any(process.name() == AT_WORK for process in run.tree()))
    return run.tree()


def test_a_worker_that_is_stopped_and_cannot_end_holds_up_no_end(tmp_path: Path) -> None:
    write_plan(tmp_path, {"frozen": [bash("sleep 300")]}, permissions=ANY)
    with led(cwd=tmp_path) as run:
        tree = below(run)
        for process in tree[1:]:
            process.suspend()
        began = time.monotonic()
        run.process.terminate()
        assert run.end().code == 130
        assert time.monotonic() - began < FIRST_LIMIT
    assert living(tree) == []


@pytest.mark.parametrize("number", [signal.SIGQUIT, signal.SIGTERM], ids=lambda number: number.name)
def test_what_takes_no_signal_is_ended_all_the_same(tmp_path: Path, number: signal.Signals) -> None:
    program = tmp_path / "stubborn"
    program.write_text(STUBBORN)
    program.chmod(0o700)
    write_plan(tmp_path, {"busy": [bash("./stubborn")]}, permissions=ANY)
    with led(cwd=tmp_path) as run:
        tree = below(run)
        began = time.monotonic()
        run.process.send_signal(number)
        ran = run.end()
        assert (ran.code, f"{number.name}: " in ran.err) == (130, True)
        assert time.monotonic() - began < (AGAIN_LIMIT if number == signal.SIGQUIT else FIRST_LIMIT)
    assert living(tree) == []
    assert "by force" not in ran.err


def test_output_and_messages_that_nobody_reads_hold_up_no_end(tmp_path: Path) -> None:
    noise = bash("head -c 3000000 /dev/zero | tr '\\0' x | fold -w 100")
    write_plan(tmp_path, {"noisy": [noise, noise, bash("touch past; sleep 300")]}, permissions=ANY)
    reading, writing = os.pipe()
    command = [*PROGRAM, "run", "plan.yaml", "--json"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=writing, stderr=writing) as process:
        os.close(writing)
        wait_until((tmp_path / "past").exists)
        tree = [psutil.Process(process.pid), *psutil.Process(process.pid).children(recursive=True)]
        began = time.monotonic()
        process.terminate()
        assert process.wait(30) == 130
        assert time.monotonic() - began < FIRST_LIMIT
    os.close(reading)
    assert living(tree) == []
