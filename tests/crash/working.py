"""A worker that can be struck: the real one, with crossings laid around what it does."""

import os
import sys
from pathlib import Path

from swarm.ipc.claim import claim_stdio

sys.path.insert(0, str(Path(__file__).parent.parent))


def lay_crossings() -> None:
    """Put the crossings around the worker's functions."""
    from crash.striking import crossing, crossing_async, crossing_named

    from swarm.ipc.messages import AnyMessage, PermissionRequest
    from swarm.permissions.strategies.swarm_worker import SwarmWorker
    from swarm.worker.call_journal import CallJournal
    from swarm.worker.outbox import Outbox
    from swarm.worker.runtime import Runtime
    from swarm.worker.tools.bash import BashTool

    def send_place(outbox: Outbox, message: AnyMessage) -> str:
        return "worker.send.permission_request" if isinstance(message, PermissionRequest) else ""

    replacements: tuple[tuple[object, str, object], ...] = (
        (Outbox, "send", crossing_named(Outbox.send, send_place)),
        (SwarmWorker, "deliver", crossing("worker.take.permission_response", SwarmWorker.deliver)),
        (CallJournal, "begin", crossing("worker.note.began", CallJournal.begin)),
        (CallJournal, "end", crossing("worker.note.ended", CallJournal.end)),
        (BashTool, "run", crossing_async("worker.run", BashTool.run)),
        (Runtime, "_send", crossing_async("worker.send.result", Runtime._send)),
    )
    for owner, name, replacement in replacements:
        setattr(owner, name, replacement)


def main() -> int:
    """Be a worker that can be struck."""
    descriptors = claim_stdio()
    if os.environ["SWARM_TREE"].split("/")[1] == "main":
        lay_crossings()
    from swarm.worker.process import serve

    return serve(*descriptors)


if __name__ == "__main__":
    sys.exit(main())
