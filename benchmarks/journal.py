"""A journal of a million entries: how long it takes to go on with it, to verify it, and in what memory."""

import hashlib
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from figures import Figure, report

from swarm.ipc.messages import Preview, Text
from swarm.leader.core.views import WorkerPhase
from swarm.leader.session.chain import GENESIS, seal
from swarm.leader.session.entries import (
    AnyEntry,
    CallDecided,
    Happened,
    RequestAsked,
    RequestDecided,
    RequestEnded,
    SessionStarted,
    WorkerChanged,
)
from swarm.permissions.model import Behavior, Reason

ENTRIES = 1_000_000
WAITING = 100
"""How many of the requests have no end."""
SECONDS = 30.0
MEMORY = 150e6

_TIMED = """
import resource, sys, time
from pathlib import Path
{imports}
path = Path(sys.argv[1])
began = time.perf_counter()
{work}
seconds = time.perf_counter() - began
print(seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
"""
_LIMIT = _TIMED.format(
    imports="from hashlib import sha256",
    work="""with path.open("rb") as file:
    while line := file.readline():
        sha256(line).digest()""",
)
_RESUME = _TIMED.format(
    imports="""from swarm.leader.core.recollection import Recollection
from swarm.leader.session.recovery import recover_journal""",
    work="""recollection = Recollection()
recover_journal(path, recollection.add, time.time).journal.close()
assert recollection.left is not None and len(recollection.left.requests) == int(sys.argv[2])""",
)
_VERIFY = _TIMED.format(
    imports="from swarm.leader.audit.reading import verify_journal",
    work="assert not verify_journal(path).fault_count",
)


def entries() -> Iterator[AnyEntry]:
    """Give what a long session writes: mostly events, and each hundredth a request from asking to end."""
    yield SessionStarted(session_id="s", name="bench", plan_file="/plan.yaml", pid=1, program="swarm")
    yield WorkerChanged(worker="tests", phase=WorkerPhase.RUNNING, attempt=1, pid=2)
    event = Happened(worker="tests", event=Text(text="a line of output, as long as lines are. " * 3))
    count = 2
    while count < ENTRIES - WAITING:
        part = request(count)
        yield from part
        for _ in range(100 - len(part)):
            yield event
        count += 100
    for number in range(WAITING):
        yield request(ENTRIES + number)[1]


def request(number: int) -> tuple[AnyEntry, ...]:
    """Give the entries of one call that rules decide, and of one that a person does."""
    call: dict[str, Any] = {
        "wire_id": f"w{number}",
        "call_id": f"c{number}",
        "worker": "tests",
        "tool": "Bash",
        "input": {"command": f"pytest -q tests/unit -k {number}"},
        "cwd": "/home/user/project",
        "preview": Preview(title="pytest -q tests/unit"),
        "digest": hashlib.sha256(str(number).encode()).hexdigest(),
        "why": "no rule decides about it",
    }
    name, digest = f"r{number}", call["digest"]
    by_person = Reason.INTERACTIVE_ALLOW_ONCE
    return (
        CallDecided(**call, behavior=Behavior.ALLOW, reason=Reason.SETTINGS_ALLOW),
        RequestAsked(**call, request_id=name),
        RequestDecided(
            request_id=name, worker="tests", digest=digest, behavior=Behavior.ALLOW, reason=by_person
        ),
        RequestEnded(request_id=name, state="delivered"),
        RequestEnded(request_id=name, state="acted", detail="succeeded"),
    )


def write(path: Path) -> None:
    """Write the whole journal."""
    previous = GENESIS
    with path.open("wb") as file:
        for number, entry in enumerate(entries(), 1):
            line, previous = seal(entry, number, 1000.0 + number / 1000, previous)
            file.write(line)


def timed(program: str, path: Path) -> tuple[float, float]:
    """Run a program alone on the journal; give its seconds and its memory at most, in bytes."""
    command = [sys.executable, "-c", program, str(path), str(WAITING)]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    seconds, memory = map(float, output.split())
    return seconds, memory


def measure() -> list[Figure]:
    """Write the journal, then go through it three ways."""
    with tempfile.TemporaryDirectory(prefix="swarm-bench-") as folder:
        path = Path(folder) / "journal.jsonl"
        began = time.perf_counter()
        write(path)
        wrote = time.perf_counter() - began
        limit, floor = timed(_LIMIT, path)
        resumed, resuming = timed(_RESUME, path)
        verified, verifying = timed(_VERIFY, path)
        size = float(path.stat().st_size)
    against = "reading and SHA-256 of the same lines"
    return [
        Figure(f"a journal of {ENTRIES:,} entries", size, "B"),
        Figure("sealing and writing it", wrote, "s"),
        Figure("reading and SHA-256 of its lines", limit, "s"),
        Figure("going on with it: chain checked, state rebuilt", resumed, "s", limit, against),
        Figure("the same, by itself", resumed, "s", budget=SECONDS),
        Figure("memory of that at most", resuming, "B", floor, "the same", None),
        Figure("the same, by itself", resuming, "B", budget=MEMORY),
        Figure("verifying it", verified, "s", limit, against),
        Figure("memory of that at most", verifying, "B", budget=MEMORY),
    ]


if __name__ == "__main__":
    report(measure)
