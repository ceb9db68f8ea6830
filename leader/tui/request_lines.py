"""The body of the approval card: all that a request says, as lines. Pure; nothing that would run is cut.

What asks and where comes first, then the command or the diff, then every other field of the input.
"""

import os.path
from collections.abc import Iterator

from swarm.leader.core.views import RequestView
from swarm.leader.hostile import clip, escape
from swarm.leader.tui import look
from swarm.leader.tui.commands import command_pieces
from swarm.leader.tui.input_fields import field_lines, marked
from swarm.leader.tui.wrapping import Line, wrap_exact, wrap_pieces, wrap_words
from swarm.permissions.model import Behavior

LABEL_WIDTH = 6
_SHOWN_BY_DIFF = frozenset({"content", "old_string", "new_string", "edits"})
_SHOWN_BY_PATHS = frozenset({"path", "file_path"})
_DIFF_STYLES = (
    ("+++", look.STRONG),
    ("---", look.STRONG),
    ("@@", look.HUNK),
    ("+", look.ADDED),
    ("-", look.REMOVED),
)


def request_lines(
    request: RequestView, width: int, *, command_first: bool = False, why_lines: int | None = None
) -> list[Line]:
    """Give the whole body, wrapped to `width` cells; with `command_first` it begins with what would run.

    `why_lines` bounds only what explains: the sentence that says why it asks, and that of each part.
    """
    shown, call = _call(request, width)
    about = list(_about(request, width, why_lines))
    others = field_lines(request.tool, request.input, shown, width)
    first, second = (call, about) if command_first else (about, call)
    return [*first, (), *second, *others]


def _call(request: RequestView, width: int) -> tuple[frozenset[str], list[Line]]:
    """Give the lines of what would run, and which fields of the input they show."""
    command = request.input.get("command")
    if isinstance(command, str):
        return _shell(request, command, width)
    if request.preview.diff:
        # A preview that leaves something out does not stand for the input.
        shown = frozenset() if request.preview.note else _SHOWN_BY_DIFF
        shown |= _SHOWN_BY_PATHS if request.preview.paths else frozenset()
        return shown, list(diff_lines(request.preview.diff, width))
    return frozenset(), list(_labelled("call", escape(request.preview.title), width, look.STRONG))


def _shell(request: RequestView, command: str, width: int) -> tuple[frozenset[str], list[Line]]:
    """Give the command, below what the agent says that it is for."""
    lines = list(_command(request, command, width))
    said = request.input.get("description")
    if request.tool != "Bash" or not isinstance(said, str) or not said:
        return frozenset({"command"}), lines
    said_lines = wrap_pieces(marked(said, look.FAINT), width - 2)
    return frozenset({"command", "description"}), [
        *((("# ", look.FAINT), *line) for line in said_lines),
        *lines,
    ]


def _about(request: RequestView, width: int, why_lines: int | None) -> Iterator[Line]:
    yield from _labelled("why", escape(request.why), width, look.ASKS, why_lines)
    asking = {part.text: part.why for part in request.parts if part.behavior is not Behavior.ALLOW}
    if len(asking) > 1:
        for part, why in asking.items():
            text = f"{escape(part)}: {escape(why)}"
            yield from _labelled("", text, width, look.MUTED, why_lines)
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


def _labelled(label: str, text: str, width: int, style: str, most: int | None = None) -> Iterator[Line]:
    """Give `text` behind its label, in at most `most` lines of which the last then ends in an ellipsis."""
    lines = wrap_words(text, width - LABEL_WIDTH)
    if most is not None and len(lines) > most:
        lines = [*lines[: most - 1], clip(" ".join(lines[most - 1 :]), width - LABEL_WIDTH)]
    for at, line in enumerate(lines):
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
            yield from wrap_pieces(marked(source.replace("\t", "    "), style), width)
