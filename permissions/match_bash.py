"""Commands against Bash and path rules. Pure."""

import re

from swarm.permissions.files import FileView
from swarm.permissions.guards import PROTECTED_NAMES
from swarm.permissions.judgement import Judgement, ruled, uncovered, unknown
from swarm.permissions.model import Request
from swarm.permissions.policy import Policy
from swarm.permissions.rules_lint import RUNNERS

DELETERS = frozenset({"rm", "rmdir", "unlink", "shred", "git"})
LONGEST_COMMAND = 10_000
PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_./:@%+,-]*(?: [A-Za-z0-9_./:@%+,=-]+)*")


def judge_command(request: Request, policy: Policy, files: FileView) -> Judgement:
    """Judge a call of the shell."""
    command = request.input.get("command")
    if not isinstance(command, str):
        return unknown("The call names no command as text.")
    text = command.strip(" \n")
    if len(command) > LONGEST_COMMAND or not PLAIN.fullmatch(text):
        return unknown("The command is not a plain one.")
    rule = policy.deny.commands.match(text) or policy.ask.commands.match(text)
    if rule is not None:
        return ruled(rule, f"`{text}`")
    name = text.split(" ")[0].rpartition("/")[2]
    restricted = policy.deny.binds_commands or policy.ask.binds_commands
    if restricted or name in RUNNERS or name in DELETERS or any(sign in text for sign in PROTECTED_NAMES):
        return unknown("Rules restrict commands here.")
    rule = policy.allow.whole_tool("Bash") or policy.allow.commands.match_written(text)
    return ruled(rule, f"`{text}`") if rule is not None else uncovered(f"No rule allows `{text}`.")
