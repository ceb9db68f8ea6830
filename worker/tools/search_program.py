"""The process that Glob and Grep search in: a bad pattern can hang or fill it, and it is then ended.

Run with one job as JSON in its only argument. It writes JSON lines in the shape of ripgrep's `--json`,
or `{"path", "changed"}` for a glob, and exits with 2 and a message if the job cannot be done.
"""

import os
import resource
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from swarm.worker.tools.file_walk import walk_files
from swarm.worker.tools.glob_pattern import GlobPattern

_CPU_SECONDS = 60
_ENCODER = msgspec.json.Encoder()


class GlobJob(msgspec.Struct, frozen=True, tag="glob"):
    """Find files by name, below `root`."""

    root: str
    pattern: str


class GrepJob(msgspec.Struct, frozen=True, tag="grep"):
    """Find lines in the files below `root`, or in the file `root`. Context is in lines."""

    root: str
    pattern: str
    ignore_case: bool = False
    multiline: bool = False
    before: int = 0
    after: int = 0


def main() -> int:
    """Do the job that is given, within a limit of processor time in case nobody is left to end this."""
    resource.setrlimit(resource.RLIMIT_CPU, (_CPU_SECONDS, _CPU_SECONDS))
    job = msgspec.json.decode(sys.argv[1], type=GlobJob | GrepJob)
    try:
        for line in _found(job):
            sys.stdout.buffer.write(_ENCODER.encode(line) + b"\n")
        sys.stdout.buffer.flush()
    except ValueError as error:
        sys.stderr.write(str(error))
        return 2
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # or the interpreter complains while it ends
    return 0


def _found(job: GlobJob | GrepJob) -> Iterator[dict[str, Any]]:
    if isinstance(job, GlobJob):
        return _matching_names(job)
    from swarm.worker.tools.line_search import search_lines

    return search_lines(job)


def _matching_names(job: GlobJob) -> Iterator[dict[str, Any]]:
    pattern = GlobPattern(job.pattern)
    start = len(job.root.rstrip("/")) + 1
    for entry in walk_files(Path(job.root)):
        if pattern.matches(entry.path[start:]):
            changed = entry.stat(follow_symlinks=False).st_mtime_ns
            yield {"path": os.fsencode(entry.path).decode("utf-8", "replace"), "changed": changed}


if __name__ == "__main__":
    sys.exit(main())
