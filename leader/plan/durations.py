"""Durations as plans write them: `90s`, `30m`, `1h30m`, or a number of seconds. Pure."""

import re

_DURATION = re.compile(r"(?:(\d+(?:\.\d+)?)h)?(?:(\d+(?:\.\d+)?)m)?(?:(\d+(?:\.\d+)?)s)?")
FORMS = 'Write "90s", "30m", "1h30m", or a number of seconds.'
LONGEST = 366 * 24 * 3600.0
"""The longest duration, in seconds."""


def parse_duration(value: object) -> float:
    """Give the seconds. Raises ValueError with a sentence for people."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise ValueError(f"This is no duration. {FORMS}")
    seconds = float(value) if not isinstance(value, str) else _read(value.strip())
    if not 0 < seconds <= LONGEST:
        raise ValueError(f"A duration is more than nothing and at most a year. {FORMS}")
    return seconds


def _read(text: str) -> float:
    found = _DURATION.fullmatch(text)
    if not found or not text:
        raise ValueError(f"{text!r} is no duration. {FORMS}")
    hours, minutes, seconds = (float(part or 0) for part in found.groups())
    return hours * 3600 + minutes * 60 + seconds
