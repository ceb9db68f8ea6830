"""A leader that can be struck: the real command line, with crossings laid around what it does.

Runs as `leading.py ARGUMENT…`, the arguments of `swarm`.
"""

import os
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from crash.striking import crossing_async, crossing_named, leave_pid, note_pid

from swarm.ipc.messages import AnyMessage, PermissionResponse, snake_case
from swarm.leader.core.launcher import LaunchedProcess, LaunchOrder, SubprocessLauncher
from swarm.leader.core.link import Link
from swarm.leader.core.requests import PendingRequest, RequestState
from swarm.leader.session.entries import AnyEntry
from swarm.leader.session.journal import Journal

HERE = Path(__file__).parent
WRITTEN = frozenset(
    {
        "request_asked",
        "request_decided",
        "call_decided",
        "request_ended",
        "worker_changed",
        "worker_finished",
    }
)


def _move_place(request: PendingRequest, to: RequestState) -> str:
    return f"leader.move.{to}" if request.view.worker == "main" else ""


def _write_place(journal: Journal, entry: AnyEntry) -> str:
    name = snake_case(type(entry).__name__)
    return f"leader.write.{name}" if name in WRITTEN else ""


def _send_place(link: Link, message: AnyMessage) -> str:
    is_meant = link.name == "main" and isinstance(message, PermissionResponse)
    return "leader.send.permission_response" if is_meant else ""


class StruckLauncher(SubprocessLauncher):
    """Starts workers that can be struck, each behind a relay."""

    def __init__(self) -> None:
        super().__init__((sys.executable, "-E", "-P", str(HERE / "working.py")))

    def launch(self, order: LaunchOrder) -> LaunchedProcess:
        """Start one worker and its relay."""
        process = super().launch(order)
        from_leader, to_worker = os.pipe()
        from_worker, to_leader = os.pipe()
        ours = (from_leader, process.stdin, process.stdout, to_leader)
        relay = subprocess.Popen(
            [sys.executable, "-S", str(HERE / "relay.py"), *map(str, ours)],
            pass_fds=ours,
            start_new_session=True,
        )
        for descriptor in ours:
            os.close(descriptor)
        process.stdin, process.stdout = to_worker, from_worker
        if order.mark.split("/")[1] == "main":
            note_pid("relay", relay.pid)
            note_pid("worker", process.pid)
        return process


def lay_crossings() -> None:
    """Put the crossings around the leader's functions."""
    from swarm.leader.core import leader

    replacements: tuple[tuple[object, str, object], ...] = (
        (PendingRequest, "move", crossing_named(PendingRequest.move, _move_place)),
        (Journal, "append", crossing_named(Journal.append, _write_place)),
        (Journal, "commit", crossing_async("leader.sync", Journal.commit)),
        (Link, "send", crossing_named(Link.send, _send_place)),
        (leader, "SubprocessLauncher", StruckLauncher),
    )
    for owner, name, replacement in replacements:
        setattr(owner, name, replacement)


def main() -> None:
    """Be the command line of a leader that can be struck."""
    from swarm.leader.cli.app import run_program

    leave_pid("leader")
    lay_crossings()
    run_program()


if __name__ == "__main__":
    main()
