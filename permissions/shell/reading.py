"""The door of the reader: text in, commands out, and where it broke off."""

from dataclasses import dataclass

from swarm.permissions.shell.compound import COMPOUND
from swarm.permissions.shell.grammar import ShellReader
from swarm.permissions.shell.syntax import BrokenShell, Script

READS_COMPOUNDS = bool(COMPOUND)


@dataclass(frozen=True, slots=True)
class Parsed:
    """The commands of a text. If it broke off, `broken` says why and `at` where; what came before is there."""

    script: Script
    broken: str = ""
    at: int = 0


def parse(text: str, base: int = 0, depth: int = 0) -> Parsed:
    """Read shell text. Never raises; takes linear time."""
    reader = ShellReader(text, base)
    reader.depth = depth
    try:
        script = reader.read_script("")
        if reader.pending:
            return Parsed(script, "a here-document has no body", base + reader.at)
    except BrokenShell as broken:
        return Parsed(reader.first or Script([]), broken.why, base + broken.at)
    return Parsed(script)
