"""What a leader that was suspended, as by Ctrl-Z, makes of the time that it did not see."""

import signal
import subprocess
import sys
import time
from pathlib import Path

from support.plans import bash, write_plan
from support.programs import LIMIT
from support.waiting import wait_until

IMPATIENT = """
from swarm.leader.core import supervisor
supervisor.SILENCE_LIMIT = 1.5
supervisor.STOOD_STILL = 1.0
from swarm.leader.cli import main
main()
"""
AWAY = 3.0
"""Seconds for which it is suspended: longer than a worker may be silent, and than one may take in all."""


def test_a_suspended_leader_takes_no_worker_for_hung_and_charges_none_for_the_time(tmp_path: Path) -> None:
    waits = bash("touch begun; until test -e go; do sleep 0.05; done")
    write_plan(
        tmp_path, {"alpha": {"steps": [waits], "timeout": "3s"}}, permissions={"mode": "bypassPermissions"}
    )
    command = [sys.executable, "-E", "-P", "-c", IMPATIENT, "run", "plan.yaml", "--headless"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as leader:
        wait_until((tmp_path / "begun").exists, LIMIT)
        leader.send_signal(signal.SIGSTOP)
        back = time.monotonic() + AWAY
        wait_until(lambda: time.monotonic() > back)
        (tmp_path / "go").touch()
        leader.send_signal(signal.SIGCONT)
        told, _ = leader.communicate(timeout=LIMIT)
    assert (leader.returncode, "nothing was heard" in told) == (0, False), told
