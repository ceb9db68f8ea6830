"""Whoever stands still goes on when the leader is gone without a word."""

import signal
import subprocess
import sys

import psutil

from support.waiting import wait_until

LEADER = """
import sys, time
from swarm.leader.core.pauses import Waker
Waker().watch([int(sys.argv[1])])
print("watched", flush=True)
time.sleep(600)
"""


def status(pid: int) -> str:
    return str(psutil.Process(pid).status())


def test_a_killed_leader_leaves_nobody_standing_still() -> None:
    still = subprocess.Popen(["sleep", "600"])
    leader = subprocess.Popen(
        [sys.executable, "-c", LEADER, str(still.pid)], stdout=subprocess.PIPE, start_new_session=True
    )
    try:
        assert leader.stdout is not None
        assert leader.stdout.readline() == b"watched\n"
        still.send_signal(signal.SIGSTOP)
        wait_until(lambda: status(still.pid) == psutil.STATUS_STOPPED)
        leader.kill()
        wait_until(lambda: status(still.pid) != psutil.STATUS_STOPPED)
    finally:
        for process in (leader, still):
            process.kill()
            process.wait()
        assert leader.stdout is not None
        leader.stdout.close()
