"""Finds out whether the system tells of all that comes into a folder, by trying and by its kind."""

import os
import select
from contextlib import suppress
from pathlib import Path

from swarm.ipc.mailbox.inotify import CREATED, Inotify

PATIENCE = 50
"""How long a probe waits for its event, in milliseconds. Usually it is there at once."""
_SHARED = ("nfs", "cifs", "smb", "9p", "fuse", "virtiofs", "vboxsf", "ceph", "gluster", "lustre", "afs")
"""Kinds of file systems (by how their names begin) where other machines write without an event."""


def gives_events(folder: Path) -> bool:
    """Write a hidden file into `folder` and tell whether an event came of it."""
    probe = folder / f".probe-{os.getpid()}"
    try:
        inotify = Inotify(folder, CREATED)
    except OSError:
        return False
    try:
        descriptor = os.open(probe, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        os.close(descriptor)
        poll = select.poll()
        poll.register(inotify.fd, select.POLLIN)
        poll.poll(PATIENCE)
        return bool(inotify.read() & CREATED)
    except OSError:
        return False
    finally:
        inotify.close()
        with suppress(OSError):
            probe.unlink()


def is_shared(folder: Path, mounts: Path = Path("/proc/self/mountinfo")) -> bool:
    """Tell whether `folder` is on a file system that other machines may write to as well."""
    try:
        lines = mounts.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
        place = os.path.realpath(folder)
    except OSError:
        return False
    kinds = [(point, kind) for point, kind in map(_mount, lines) if _is_below(place, point)]
    return bool(kinds) and max(kinds, key=lambda pair: len(pair[0]))[1].startswith(_SHARED)


def _mount(line: str) -> tuple[str, str]:
    """Give the mount point and the kind of one line, as proc(5) describes it."""
    fields, _, rest = line.partition(" - ")
    point = fields.split(" ")[4] if fields.count(" ") >= 4 else ""
    return point.replace("\\040", " "), rest.partition(" ")[0]


def _is_below(place: str, point: str) -> bool:
    return bool(point) and (place + "/").startswith(point.rstrip("/") + "/")
