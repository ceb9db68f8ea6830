"""`swarm audit`: the group of commands that look back at what was decided."""

SUBCOMMANDS = ("verify", "show", "replay")
"""In the order of the help; each is the module `audit_NAME` beside this one."""


def command() -> None:
    """Verify a session's journal, show its decisions, decide it again under other rules."""
