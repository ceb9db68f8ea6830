"""The door of the reader: text in, commands out, and where it broke off."""

import re
from dataclasses import dataclass

from swarm.permissions.shell.compound import COMPOUND
from swarm.permissions.shell.grammar import DECLARING, MOST_WORDS, RESERVED_ENDS, ShellReader
from swarm.permissions.shell.syntax import BrokenShell, Literal, Script, Simple, TooMuchShell, Word

# Words of plain letters with one blank between them, as most commands are: nothing to look for in them.
PLAIN = re.compile(r"[A-Za-z0-9_.,/:@%+-]+(?: [A-Za-z0-9_.,/:@%+=-]+)*")
NOT_PLAIN = frozenset(COMPOUND) | RESERVED_ENDS | DECLARING | {"time"}


@dataclass(frozen=True, slots=True)
class Parsed:
    """The commands of a text. If it broke off, `broken` says why, `at` where; what came before stays.

    `too_much`: the text is more than is looked through.
    """

    script: Script
    broken: str = ""
    at: int = 0
    too_much: bool = False


def parse(text: str, base: int = 0, depth: int = 0) -> Parsed:
    """Read shell text. Never raises; takes linear time."""
    if text.count(" ") < MOST_WORDS and PLAIN.fullmatch(text):
        words = _words(text, base)
        if words[0].raw not in NOT_PLAIN:
            return Parsed(Script([(Simple(base, base + len(text), [], words, []), "")]))
    reader = ShellReader(text, base)
    reader.depth = depth
    try:
        script = reader.read_script("")
        if reader.pending:
            return Parsed(script, "a here-document has no body", base + reader.at)
    except BrokenShell as broken:
        too_much = isinstance(broken, TooMuchShell)
        return Parsed(reader.first or Script([]), broken.why, base + broken.at, too_much)
    return Parsed(script)


def _words(text: str, base: int) -> list[Word]:
    words: list[Word] = []
    at = base
    for raw in text.split(" "):
        words.append(Word(at, at + len(raw), [Literal(raw, False)], raw))
        at += len(raw) + 1
    return words
