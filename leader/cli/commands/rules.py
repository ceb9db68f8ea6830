"""`swarm rules`: the group of commands about permission rules."""

SUBCOMMANDS = ("test", "explain", "lint", "import", "list", "grants", "revoke", "accept")
"""In the order of the help; each is the module `rules_NAME` beside this one."""


def command() -> None:
    """Try, explain, check, carry over and list permission rules."""
