"""Bounds what a worker says for people to read, before anything keeps or passes it on. Pure.

What is asked of the person is never clipped: a request comes whole or not at all.
"""

from typing import Any, TypeVar

import msgspec

TEXT_LIMIT = 65_536
"""The most characters of a `text`: prose, output, a log line, a result."""
WORD_LIMIT = 2_000
"""The most characters of any other field: titles, names, ids, summaries."""
ITEM_LIMIT = 200
"""The most items of a list."""

_Struct = TypeVar("_Struct", bound=msgspec.Struct)


def clipped(struct: _Struct) -> _Struct:
    """Give `struct` with every text and list in it bounded; the same object if all were short."""
    changes: dict[str, Any] = {}
    for name in struct.__struct_fields__:
        value = getattr(struct, name)
        shorter = _clipped(value, TEXT_LIMIT if name == "text" else WORD_LIMIT)
        if shorter is not value:
            changes[name] = shorter
    return msgspec.structs.replace(struct, **changes) if changes else struct


def _clipped(value: Any, limit: int) -> Any:
    kind = type(value)  # by type, not by pattern: this is done for each field of each event
    if kind is str:
        if len(value) <= limit:
            return value
        return f"{value[:limit]}… ({len(value) - limit:,} more characters were left out)"
    if kind is tuple and value:
        items = tuple(_clipped(item, WORD_LIMIT) for item in value[:ITEM_LIMIT])
        same = len(items) == len(value) and all(map(_is_same, items, value))
        return value if same else items
    return clipped(value) if isinstance(value, msgspec.Struct) else value


def _is_same(one: object, other: object) -> bool:
    return one is other
