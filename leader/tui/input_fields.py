"""How the fields of an input are shown that no command and no diff shows. Pure; hides only defaults.

What a tool takes a field to mean is known by the tool's name alone, so only built-in names stand here.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from swarm.leader.hostile import ESCAPE_STYLE, escape, pieces
from swarm.leader.tui import look
from swarm.leader.tui.wrapping import Line, Piece, wrap_pieces

_DEFAULTS: Mapping[str, Mapping[str, object]] = {
    "Bash": {"timeout": 120_000, "description": "", "run_in_background": False},
    "Edit": {"replace_all": False},
    "Read": {"offset": None, "limit": None},
    "Glob": {"path": "."},
    "Grep": {
        "path": ".",
        "glob": None,
        "output_mode": "files_with_matches",
        "-i": False,
        "-n": True,
        "-A": 0,
        "-B": 0,
        "-C": 0,
        "head_limit": None,
        "multiline": False,
    },
    "LS": {"path": ".", "ignore": []},
}
"""What a field means that is not given, by tool and field."""


def field_lines(tool: str, input: Mapping[str, Any], shown: frozenset[str], width: int) -> Iterator[Line]:
    """Show every field that is not `shown` and not as it would be without being given; limits come last."""
    limits = []
    for name, value in input.items():
        if name in shown or _is_default(tool, name, value):
            continue
        limit = time_limit(tool, name, value)
        if limit:
            limits.append(limit)
            continue
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
        yield from wrap_pieces([(f"{escape(name)}: ", look.FAINT), *marked(text, look.TEXT)], width)
    for limit in limits:
        yield ((limit, look.FAINT),)


def _is_default(tool: str, name: str, value: object) -> bool:
    """Whether it is the very default; 0 is not False here."""
    defaults = _DEFAULTS.get(tool, {})
    return name in defaults and type(value) is type(defaults[name]) and value == defaults[name]


def time_limit(tool: str, name: str, value: object) -> str:
    """Give `limit 10m` for a shell's time-out in milliseconds, or nothing for any other field."""
    if tool != "Bash" or name != "timeout" or type(value) is not int or value <= 0:
        return ""
    minutes, rest = divmod(value, 60_000)
    parts = [f"{minutes}m" if minutes else "", f"{rest / 1000:g}s" if rest else ""]
    return f"limit {' '.join(part for part in parts if part)}"


def marked(text: str, style: str) -> Iterator[Piece]:
    """Give hostile text in pieces, what had to be escaped in a style of its own."""
    for piece, is_escape in pieces(text, keep_newlines=True):
        yield piece, (ESCAPE_STYLE if is_escape else style)
