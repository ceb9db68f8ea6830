"""Makes hostile text showable: writes out whatever could act on a terminal, or hide."""

EXCERPT = 200
"""The most characters of an excerpt."""

_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Characters that count as letters or marks and yet show nothing."""


def visible(text: str, limit: int = EXCERPT) -> str:
    """Give the start of `text` in at most `limit` characters.

    Control, bidirectional, invisible and unassigned characters become `\\x1b`, `\\u202e` and the like.
    """
    shown = ""
    for character in text[:limit]:
        piece = character if _is_plain(character) else _written_out(character)
        if len(shown) + len(piece) > limit:
            break
        shown += piece
    return shown


def excerpt(line: bytes) -> str:
    """Give the start of `line` as showable text; bytes that are no UTF-8 become `\\xff` and the like."""
    return visible(line[: 4 * EXCERPT].decode("utf-8", "backslashreplace"))


def _is_plain(character: str) -> bool:
    if character.isascii():
        return character.isprintable()
    variation = "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef"
    return character.isprintable() and character not in _BLANK and not variation


def _written_out(character: str) -> str:
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
