"""Gives a journal's beginning and end for a bug report: what happened, and not what was worked on.

Contents are left out and only counted; digests and hashes stay, so that both can be matched.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from swarm.leader.bundle.hiding import Hiding
from swarm.leader.session.places import open_regular

HEAD_LINES: Final = 40
TAIL_LINES: Final = 300
HEAD_BYTES: Final = 1024 * 1024
TAIL_BYTES: Final = 4 * 1024 * 1024
PROSE: Final = 400
"""Characters that are kept of one text, once it was redacted."""

_TELLING: Final = frozenset({"command", "file_path", "path", "pattern", "glob", "url", "query"})
"""The parts of an input that say what a call was; all others are contents."""
_WITH_CONTENTS: Final = frozenset({"happened", "worker_finished"})
_CONTENTS: Final = frozenset({"text", "diff", "items", "updated_input"})
_PROOFS: Final = frozenset({"hash", "prev", "digest", "policy_version"})


def head_and_tail(path: Path) -> tuple[list[bytes], list[bytes]]:
    """Give the first lines of a journal and the last ones behind them. Raises OSError."""
    with open_regular(path) as file:
        size = file.seek(0, 2)
        file.seek(0)
        head = file.read(HEAD_BYTES).splitlines(keepends=True)[:HEAD_LINES]
        if head and not head[-1].endswith(b"\n"):
            head.pop()
        behind = sum(map(len, head))
        start = max(behind, size - TAIL_BYTES)
        file.seek(start)
        tail = file.read(TAIL_BYTES).splitlines(keepends=True)
    return head, (tail if start == behind else tail[1:])[-TAIL_LINES:]


def told(lines: list[bytes], hiding: Hiding) -> Iterator[str]:
    """Give each line as JSON without contents; of one that cannot be read, only how long it is."""
    for line in lines:
        try:
            record = json.loads(line)
            kept = _record(record, hiding)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            kept = {"unreadable": f"{len(line)} bytes"}
        yield json.dumps(kept)


def _record(record: Mapping[str, Any], hiding: Hiding) -> dict[str, Any]:
    entry = record["entry"]
    hide_text = entry.get("type") in _WITH_CONTENTS
    head = {key: record[key] for key in ("n", "at", "prev", "hash")}
    return {**head, "entry": {key: _member(key, value, hiding, hide_text) for key, value in entry.items()}}


def _member(key: str, value: Any, hiding: Hiding, hide_text: bool) -> Any:
    if key in _PROOFS:
        return value
    if key == "input" and isinstance(value, Mapping):
        return {
            name: _short(hiding.value({name: part})[name], hiding) if name in _TELLING else _size(part)
            for name, part in value.items()
        }
    if key in _CONTENTS and (hide_text or key != "text"):
        return _size(value)
    if isinstance(value, Mapping):
        return {name: _member(name, part, hiding, hide_text) for name, part in value.items()}
    return _short(value, hiding)


def _short(value: Any, hiding: Hiding) -> Any:
    """Redact first: what is cut in two is no longer found."""
    hidden = hiding.value(value)
    if isinstance(hidden, str):
        return hidden if len(hidden) <= PROSE else f"{hidden[:PROSE]}… [{len(hidden)} characters]"
    return hidden


def _size(value: Any) -> str | None:
    if value is None or value in ("", [], {}):
        return None
    return f"[{len(value if isinstance(value, str) else json.dumps(value))} characters]"
