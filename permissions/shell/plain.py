"""The short way for the commonest commands: one program and plain words, read without the grammar.

It gives exactly what the grammar and the walk give for such a text, or nothing; a test holds it to that.
"""

import re

from swarm.permissions.shell.builtins import BUILTINS
from swarm.permissions.shell.calls import Call, Findings
from swarm.permissions.shell.carriers import TEXT_OPTIONS, texts_of
from swarm.permissions.shell.compound import COMPOUND
from swarm.permissions.shell.expand import Arg
from swarm.permissions.shell.grammar import DECLARING, MOST_WORDS, RESERVED_ENDS
from swarm.permissions.shell.wrappers import SHELLS, WRAPPERS, interpreter

# Letters, digits and the signs that mean nothing to a shell; or one run of them and blanks in quotes.
NAME = r"[A-Za-z0-9_./+-]+"
BARE = r"[A-Za-z0-9_./:@%+,=-]+"
QUOTED = r"'[A-Za-z0-9_./:@%+,= \"()<>;&|#-]*'"
PLAIN = re.compile(rf"{NAME}(?: +(?:{BARE}|{QUOTED}))*")
WORD = re.compile(rf"{QUOTED}|{BARE}")

NOT_PLAIN = frozenset(
    {*COMPOUND, *RESERVED_ENDS, *DECLARING, *BUILTINS, *WRAPPERS, "find", "fd", "fdfind", "git"}
)
"""Names that mean more to the grammar or the walk than a program with its words."""


def read_plain(text: str, cwd: str) -> Findings | None:
    """What a plain command could do; None for any other text."""
    if text.count(" ") >= MOST_WORDS or PLAIN.fullmatch(text) is None:
        return None
    args = tuple(map(_arg, WORD.finditer(text), range(len(text))))
    name = args[0].raw.rpartition("/")[2]
    if (
        name in NOT_PLAIN
        or interpreter(name)
        or any((arg.value or "").rpartition("/")[2] in SHELLS for arg in args)
        or (name in TEXT_OPTIONS and texts_of(name, args[1:]))
    ):
        return None
    written = " ".join(arg.raw for arg in args)
    return Findings([Call(args, written, 0, len(text), (cwd,))])


def _arg(word: re.Match[str], number: int) -> Arg:
    raw = word[0]
    value = raw[1:-1] if raw[0] == "'" else raw
    return Arg(value, raw, word.start(), word.end(), number)
