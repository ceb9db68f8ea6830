"""The body of the approval card: all that a request says, as lines. Pure; nothing is cut.

What asks and where comes first, then the command or the diff, then every other field of the input.
"""

import json
import os.path
from collections.abc import Iterator

from swarm.leader.core.views import RequestView
from swarm.leader.hostile import ESCAPE_STYLE, escape, pieces
from swarm.leader.tui import look
from swarm.leader.tui.commands import command_pieces
from swarm.leader.tui.wrapping import Line, Piece, wrap_exact, wrap_pieces, wrap_words
from swarm.permissions.model import Behavior

LABEL_WIDTH = 6
_SHOWN_BY_DIFF = frozenset({"content", "old_string", "new_string"})
_SHOWN_BY_PATHS = frozenset({"path", "file_path"})
_DIFF_STYLES = (
    ("+++", look.STRONG),
    ("---", look.STRONG),
    ("@@", look.HUNK),
    ("+", look.ADDED),
    ("-", look.REMOVED),
)


def request_lines(request: RequestView, width: int) -> list[Line]:
    """Give the whole body, wrapped to `width` cells."""
    lines = [*_about(request, width), ()]
    shown: frozenset[str] = frozenset()
    command = request.input.get("command")
    if isinstance(command, str):
        lines += _command(request, command, width)
        shown = frozenset({"command"})
    elif request.preview.diff:
        lines += diff_lines(request.preview.diff, width)
        # A preview that leaves something out does not stand for the input.
        shown = frozenset() if request.preview.note else _SHOWN_BY_DIFF
        shown |= _SHOWN_BY_PATHS if request.preview.paths else frozenset()
    else:
        lines += _labelled("call", escape(request.preview.title), width, look.STRONG)
    return [*lines, *_others(request, shown, width)]


def _about(request: RequestView, width: int) -> Iterator[Line]:
    yield from _labelled("why", escape(request.why), width, look.ASKS)
    asking = [part for part in request.parts if part.behavior is not Behavior.ALLOW]
    if len(asking) > 1:
        for part in asking:
            yield from _labelled("", f"{escape(part.text)}: {escape(part.why)}", width, look.MUTED)
    yield from _labelled("in", escape(request.cwd), width, look.TEXT)
    for at, path in enumerate(request.preview.paths):
        yield from _labelled("" if at else "file", escape(relative(path, request.cwd)), width, look.TEXT)
    if request.preview.note:
        yield from _labelled("note", escape(request.preview.note), width, look.WARN)


def relative(path: str, folder: str) -> str:
    """Give `path` as seen from `folder` if it lies in it; else in full, and said to be outside."""
    if os.path.isabs(path) and os.path.isabs(folder):
        inside = os.path.relpath(path, folder)
        if inside != ".." and not inside.startswith("../"):
            return inside
        return f"{path} (outside of the folder)"
    return path


def _labelled(label: str, text: str, width: int, style: str) -> Iterator[Line]:
    for at, line in enumerate(wrap_words(text, width - LABEL_WIDTH)):
        yield ((f"{'' if at else label:<{LABEL_WIDTH}}", look.FAINT), (line, style))


def _command(request: RequestView, command: str, width: int) -> Iterator[Line]:
    wrapped = wrap_pieces(command_pieces(command, request.parts), width - 2)
    for at, line in enumerate(wrapped):
        yield (("  " if at else "$ ", look.FAINT), *line)


def diff_lines(diff: str, width: int) -> Iterator[Line]:
    """Give a unified diff in colours, each of its lines wrapped to `width` cells."""
    for source in diff.removesuffix("\n").split("\n"):
        style = next((style for start, style in _DIFF_STYLES if source.startswith(start)), look.MUTED)
        if source.isascii() and source.isprintable():
            for line in wrap_exact(source, width):
                yield ((line, style),)
        else:
            yield from wrap_pieces(_marked(source.replace("\t", "    "), style), width)


def _marked(text: str, style: str) -> Iterator[Piece]:
    for piece, is_escape in pieces(text, keep_newlines=True):
        yield piece, (ESCAPE_STYLE if is_escape else style)


def _others(request: RequestView, shown: frozenset[str], width: int) -> Iterator[Line]:
    """Show every field of the input that nothing else shows."""
    for name, value in request.input.items():
        if name in shown:
            continue
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
        yield from wrap_pieces([(f"{escape(name)}: ", look.FAINT), *_marked(text, look.TEXT)], width)
