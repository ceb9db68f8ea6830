"""The escapes of `$'…'`."""

import re

ANSI_ESCAPE = re.compile(
    r"\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|c(.)|(.))", re.DOTALL
)
ANSI_LETTERS = {
    "a": "\a",
    "b": "\b",
    "e": "\x1b",
    "E": "\x1b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "v": "\v",
}


def unescaped(body: str) -> str:
    """The text that stands for a body of `$'…'`; it ends at a NUL, as in bash."""
    return ANSI_ESCAPE.sub(_sign, body).partition("\0")[0]


def _sign(found: re.Match[str]) -> str:
    two, four, eight, octal, control, other = found.groups()
    number = two or four or eight
    if number:
        code = int(number, 16)
        return chr(code) if code < 0x110000 else "\ufffd"
    if octal:
        return chr(int(octal, 8) & 0xFF)
    if control:
        return chr(ord(control.upper()) & 0x1F)
    return ANSI_LETTERS.get(other, other if other in "\\'\"?" else "\\" + other)
