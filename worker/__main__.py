"""Starts a worker: the real stdin and stdout are claimed before anything else can write to them."""

import sys

from swarm.ipc.claim import claim_stdio
from swarm.ipc.errors import NotStartedByLeader


def main() -> int:
    """Be a worker until its end, and give the exit status."""
    try:
        descriptors = claim_stdio()
    except NotStartedByLeader as error:
        sys.stderr.write(f"{error}\n")
        return 2
    from swarm.worker.process import serve  # loaded only now, so that it cannot write to the wire

    return serve(*descriptors)


if __name__ == "__main__":
    sys.exit(main())
