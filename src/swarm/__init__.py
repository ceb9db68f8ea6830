"""Swarm leads a team of agent workers from one terminal.

The four parts live in the folders `leader`, `worker`, `ipc` and `permissions` at the root of the
repository; here they are links, so that an installation adds this one name and no other.
"""


def program_version() -> str:
    """Give the installed version, or "unknown" when run from a tree that was never installed."""
    from importlib.metadata import PackageNotFoundError, version  # costs every worker's start otherwise

    try:
        return version("swarm-leader")
    except PackageNotFoundError:
        return "unknown"
