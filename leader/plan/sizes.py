"""Sizes as plans write them: `512MiB`, `1.5GB`, or a number of bytes. Pure."""

import re

_SIZE = re.compile(r"(\d{1,18}(?:\.\d{1,18})?) ?([KMGT]i?B|B)", re.IGNORECASE)
_POWERS = {"K": 1, "M": 2, "G": 3, "T": 4}
FORMS = 'Write "512MiB", "2GiB", "1.5GB", or a number of bytes.'
LARGEST = 1024**5
"""The largest size, in bytes."""
LEAST_MEMORY = 64 * 1024**2
"""The least limit of memory, in bytes: a worker takes half of that before it does anything."""


def parse_size(value: object) -> int:
    """Give the bytes. Raises ValueError with a sentence for people."""
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise ValueError(f"This is no size. {FORMS}")
    size = value if isinstance(value, int) else _read(value.strip())
    if not 0 < size <= LARGEST:
        raise ValueError(f"A size is more than nothing and at most 1024TiB. {FORMS}")
    return size


def parse_memory(value: object) -> int:
    """Give the bytes of a limit of memory. Raises ValueError with a sentence for people."""
    size = parse_size(value)
    if size < LEAST_MEMORY:
        raise ValueError(f"A worker needs some memory itself, so the limit is at least 64MiB. {FORMS}")
    return size


def format_size(size: float) -> str:
    """Give a size for people, with at most one digit behind the point: `1.5 GiB`."""
    for unit in ("B", "KiB", "MiB", "GiB"):
        if round(size, 1) < 1024:
            return f"{round(size, 1):g} {unit}"
        size /= 1024
    return f"{round(size, 1):g} TiB"


def _read(text: str) -> int:
    found = _SIZE.fullmatch(text)
    if not found:
        raise ValueError(f"{text[:40]!r} is no size. {FORMS}")
    number, unit = float(found[1]), found[2].upper()
    base = 1024 if "I" in unit else 1000
    return int(number * base ** _POWERS.get(unit[0], 0))
