"""A shell command as styled pieces: syntax colours, and what makes it ask underlined. Pure.

The whole command comes out, every character of it escaped and none left out.
"""

from collections.abc import Iterable, Iterator, Sequence

from swarm.leader.hostile import ESCAPE_STYLE, pieces
from swarm.leader.tui import look
from swarm.leader.tui.wrapping import Piece
from swarm.permissions.model import Behavior, PartVerdict

HIGHLIGHT_LIMIT = 20_000
"""Longer commands have no syntax colours: the lexer is not made for them."""

_STYLES = (
    ("Token.Comment", look.MUTED),
    ("Token.Literal.String", look.ADDED),
    ("Token.Name.Variable", look.LINK),
    ("Token.Literal.Number", look.TEXT),
    ("Token.Keyword", look.HUNK),
    ("Token.Operator", look.WARN),
    ("Token.Punctuation", look.WARN),
    ("Token.Name.Builtin", look.STRONG),
)


def command_pieces(command: str, parts: Sequence[PartVerdict] = ()) -> Iterator[Piece]:
    """Give the command in pieces; parts whose verdict is not `allow` are underlined."""
    asking = [(part.start, part.end) for part in parts if part.behavior is not Behavior.ALLOW]
    borders = sorted({border for span in asking for border in span})
    for start, text, style in _cut(_highlighted(command), borders):
        inside = any(low <= start < high for low, high in asking)
        full = f"{style} {look.BEHIND}" if inside else style
        for piece, is_escape in pieces(text, keep_newlines=True):
            yield piece, (ESCAPE_STYLE if is_escape else full)


def _highlighted(command: str) -> Iterator[tuple[str, str]]:
    if len(command) > HIGHLIGHT_LIMIT:
        yield command, look.TEXT
        return
    from pygments.lexers.shell import BashLexer

    for _, token, text in BashLexer().get_tokens_unprocessed(command):
        name = str(token)
        yield text, next((style for prefix, style in _STYLES if name.startswith(prefix)), look.TEXT)


def _cut(pieces_: Iterable[tuple[str, str]], borders: list[int]) -> Iterator[tuple[int, str, str]]:
    """Give pieces with their start in the command, cut at every border."""
    position = at = 0
    for text, style in pieces_:
        end = position + len(text)
        while at < len(borders) and borders[at] < end:
            if borders[at] > position:
                yield position, text[: borders[at] - position], style
                text = text[borders[at] - position :]
                position = borders[at]
            at += 1
        if text:
            yield position, text, style
        position = end
