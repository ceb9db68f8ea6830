"""What `swarm doctor` finds out of the system beneath: how mail, ends of processes and orphans are seen.

All of it is tried and not guessed.
"""

import os
import sys
import tempfile
from pathlib import Path

from swarm.leader.cli.findings import Finding

_PR_GET_CHILD_SUBREAPER = 37  # <linux/prctl.h>


def check_mailbox() -> Finding:
    """How a worker whose way was cut reaches the leader: told at once, or looked for now and then."""
    from swarm.leader.errors import LeaderError
    from swarm.leader.session.places import make_own_folders

    try:
        sessions = make_own_folders(os.environ)
        with tempfile.TemporaryDirectory(prefix=".doctor-", dir=sessions) as folder:
            return mailbox_in(Path(folder))
    except LeaderError as error:
        return Finding("mailbox", False, "there is no folder for it", str(error))
    except OSError as error:
        return Finding("mailbox", False, f"cannot be tried: {error.strerror}", "Make room there.")


def mailbox_in(folder: Path) -> Finding:
    """Try a mailbox in `folder`, which must be empty."""
    from swarm.ipc.mailbox.inotify import MOVED_TO, Inotify
    from swarm.ipc.mailbox.probe import gives_events, is_shared
    from swarm.ipc.mailbox.watch import FAST, IDLE

    polled = f"polled, every {FAST * 1000:.0f} to {IDLE * 1000:.0f} ms"
    works = "It works so too, but a worker that comes back by mail is heard later."
    try:
        Inotify(folder, MOVED_TO).close()
    except OSError as error:
        advice = f"If it has run out, raise fs.inotify.max_user_instances. {works}"
        return Finding("mailbox", False, f"{polled}: no inotify ({error.strerror})", advice)
    if not gives_events(folder):
        return Finding("mailbox", False, f"{polled}: its file system tells of nothing new", works)
    if is_shared(folder):
        found = f"{polled}: other machines may write to its file system"
        return Finding("mailbox", False, found, f"Set XDG_STATE_HOME to a local folder. {works}")
    return Finding("mailbox", True, "notified by inotify")


def check_pidfd() -> Finding:
    """Process descriptors, by which the end of a worker is seen."""
    if not hasattr(os, "pidfd_open"):
        advice = "Ends of workers are waited for by other means, which works."
        return Finding("pidfd", False, "this system or this Python has none", advice)
    try:
        os.close(os.pidfd_open(os.getpid()))
    except OSError as error:
        advice = "Use Linux 5.3 or newer, and a container that allows pidfd_open."
        return Finding("pidfd", False, f"it is refused ({error.strerror})", advice, needed=True)
    return Finding("pidfd", True, "shows ends of workers at once")


def check_subreaper() -> Finding:
    """Whether the leader can be the parent of what detaches itself from its worker."""
    import ctypes

    advice = "What detaches itself from its worker is found by its environment alone."
    if sys.platform != "linux":
        return Finding("subreaper", False, "this system has none", advice)
    library, is_one = ctypes.CDLL(None, use_errno=True), ctypes.c_int()
    if library.prctl(_PR_GET_CHILD_SUBREAPER, ctypes.byref(is_one), 0, 0, 0) != 0:
        return Finding("subreaper", False, f"it is refused ({os.strerror(ctypes.get_errno())})", advice)
    return Finding("subreaper", True, "finds what detaches itself from its worker")
