"""Reading `${…}`: the name, the operator, and the word behind it. Evaluates nothing."""

import re
from typing import TYPE_CHECKING

from swarm.permissions.shell.names import NAME, SPECIAL
from swarm.permissions.shell.syntax import BrokenShell, Literal, Part, Variable, Word

if TYPE_CHECKING:
    from swarm.permissions.shell.words import WordReader

IN_BRACES = re.compile(r"[^ '\"\\$`{}<>]+| +")
BRACE_OPERATOR = re.compile(r":?[-=?+]|##?|%%?|//?|\^\^?|,,?|@|:|\[")


def read_braced(reader: "WordReader", quoted: bool) -> Variable:
    """Read `${…}`. Raises BrokenShell."""
    start = reader.at
    reader.at += 2
    reader.deeper()
    prefix = ""
    if reader.peek() in ("#", "!") and reader.peek(2)[1:] not in (
        "}",
        "",
        "-",
        ":",
        "=",
        "?",
        "+",
        "%",
        "/",
    ):
        prefix = reader.peek()
        reader.at += 1
    name = NAME.match(reader.text, reader.at)
    if name:
        reader.at = name.end()
        found = name.group()
    elif reader.peek() and reader.peek() in SPECIAL:
        digits = re.compile(r"[0-9]+|.").match(reader.text, reader.at)
        found = digits.group() if digits else ""
        reader.at += len(found)
    else:
        raise BrokenShell(start, "an expansion in braces has no name")
    operator = BRACE_OPERATOR.match(reader.text, reader.at)
    if operator:
        reader.at = operator.end()
    first = reader.at
    parts = _argument(reader, start, quoted)
    argument = (
        Word(reader.base + first, reader.base + reader.at, parts, reader.text[first : reader.at])
        if operator
        else None
    )
    reader.at += 1
    reader.depth -= 1
    if not operator and parts:
        raise BrokenShell(start, "an expansion in braces cannot be read")
    return Variable(found, quoted, prefix + (operator.group() if operator else ""), argument)


def _argument(reader: "WordReader", start: int, quoted: bool) -> list[Part]:
    parts: list[Part] = []
    text = reader.text
    while reader.at < len(text) and text[reader.at] != "}":
        found = IN_BRACES.match(text, reader.at)
        sign = text[reader.at]
        if found:
            reader.at = found.end()
            parts.append(Literal(found.group(), quoted))
        elif text.startswith(("<(", ">("), reader.at):
            parts.append(reader.read_process_substitution())
        elif sign == "'" and quoted:
            reader.at += 1
            parts.append(Literal("'", True))
        elif sign in "\"'\\$`":
            parts.extend(reader.read_part())
        else:
            reader.at += 1
            parts.append(Literal(sign, quoted))
    if reader.at >= len(text):
        raise BrokenShell(start, "an expansion in braces is not closed")
    return parts
