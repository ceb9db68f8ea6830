"""The shape of a word whose text cannot be known: what of it is fixed, and what may stand between.

In a shape UNKNOWN stands for any text, TAME for a text of which it is known that no part of a path in it
is `..` or begins with a dot. Pure.
"""

import re

from swarm.permissions.shell.syntax import Simple, Substitution

UNKNOWN = "\0"
TAME = "\1"
TAME_VARIABLES = frozenset(
    {"?", "$", "#", "!", "UID", "EUID", "PPID", "BASHPID", "RANDOM", "SECONDS", "LINENO", "EPOCHSECONDS"}
    | {"USER", "LOGNAME", "HOSTNAME"}
)
GLOB_SIGNS = re.compile(r"[*?]+|\[[^]]*\]")
DATE_WORD = re.compile(r"-u|--utc|-I\w*|['\"]?\+[%\w][%\w:. -]*['\"]?")
TEMPLATE = re.compile(r"-[dqut]+|--directory|['\"]?(?:/tmp/)?[\w-][\w.-]*['\"]?")
OTHER_WORD = re.compile(r"-[\w-]*|HEAD|\d+")
TELLING = frozenset({"nproc", "whoami", "hostname", "uname", "id", "seq", "pwd"})


def tame(text: str) -> bool:
    """Whether no part of a path in the text begins with a dot."""
    return bool(text) and not any(part.startswith(".") for part in text.split("/"))


def of_pattern(pattern: str) -> str:
    """The shape of what a glob finds."""
    return TAME if tame(pattern) and GLOB_SIGNS.search(pattern) else UNKNOWN


def of_variable(name: str, operator: str) -> str:
    """The shape of a variable that nothing is known of."""
    return TAME if operator == "#" or (name in TAME_VARIABLES and operator == "") else UNKNOWN


def of_substitution(part: Substitution) -> str:
    """The shape of what a command prints: dates, numbers, names of temporary files are tame."""
    if part.kind in ("<(", ">(") or len(part.script.items) != 1:
        return TAME if part.kind in ("<(", ">(") else UNKNOWN
    command = part.script.items[0][0]
    if not isinstance(command, Simple) or command.assignments or command.redirects or not command.words:
        return UNKNOWN
    name = command.words[0].plain
    words = [word.raw for word in command.words[1:]]
    if name == "git" and words[:1] == ["rev-parse"]:
        name, words = "id", words[1:]
    fits = {"date": DATE_WORD, "mktemp": TEMPLATE}.get(name or "")
    if fits is None:
        fits = OTHER_WORD if name in TELLING or name == "id" else None
    return TAME if fits is not None and all(map(fits.fullmatch, words)) else UNKNOWN


def of_word(value: str | None, pattern: str, shape: str) -> str:
    """TAME if no part of what the word stands for can begin with a dot."""
    if pattern:
        return of_pattern(pattern)
    text = shape if value is None else value
    return TAME if tame(text) and UNKNOWN not in text else UNKNOWN


def of_rest(shape: str, prefix: str) -> str:
    """The shape of a word of which only the end is meant, from a known beginning on."""
    head = shape.partition(UNKNOWN)[0].partition(TAME)[0]
    return shape[len(head) - len(prefix) :] if shape and head.endswith(prefix) else prefix + UNKNOWN


def _holds_in_turn(name: str, pieces: list[str]) -> bool:
    """Whether a name is made of these pieces with anything between them."""
    first, *between, last = pieces
    if len(name) < sum(map(len, pieces)) or not (name.startswith(first) and name.endswith(last)):
        return False
    at, end = len(first), len(name) - len(last)
    for piece in between:
        found = name.find(piece, at, end)
        if found < 0:
            return False
        at = found + len(piece)
    return True


def may_be(shape: str, names: frozenset[str]) -> bool:
    """Whether a path of this shape could have one of these names, all with a leading dot, as a part."""
    for part in shape.split("/"):
        if UNKNOWN in part:
            before = part.partition(UNKNOWN)[0]
            return not before or TAME in before or any(name.startswith(before) for name in names)
        if TAME not in part:
            if part in names or part == "..":
                return True
            continue
        if part[0] == TAME and not part.strip(TAME).startswith("."):
            continue
        pieces = part.split(TAME)
        if any(_holds_in_turn(name, pieces) for name in names):
            return True
    return False
