"""Builds policies and requests for the tests of the engine."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from swarm.permissions.engine import decide
from swarm.permissions.files import MemoryFiles
from swarm.permissions.model import Behavior, Folders, Layer, Mode, Request, RuleText, Source, Verdict
from swarm.permissions.policy import Policy, compile_policy

HOME = Path("/home/dev")
CWD = "/w/proj"


def policy_of(
    allow: Iterable[str] = (),
    deny: Iterable[str] = (),
    ask: Iterable[str] = (),
    mode: str = "default",
    cwd: str = CWD,
) -> Policy:
    """A policy whose rules stand in one file, one a line."""
    lists = ((Behavior.ALLOW, allow), (Behavior.DENY, deny), (Behavior.ASK, ask))
    rules = [
        RuleText(behavior, text, Source(Layer.PROJECT, "settings.json", line, 1, cwd))
        for behavior, texts in lists
        for line, text in enumerate(texts, 1)
    ]
    return compile_policy(rules, Mode(mode), Folders(HOME, Path(cwd)))


def bash(command: str, cwd: str = CWD) -> Request:
    """A call of the shell."""
    return Request("Bash", {"command": command}, cwd)


def decided(command: str, policy: Policy, files: Mapping[str, str] | None = None) -> Verdict:
    """The verdict on a command."""
    return decide(bash(command), policy, MemoryFiles(files or {}))
