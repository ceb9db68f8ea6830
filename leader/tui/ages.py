"""Says how long something took or waits, in a few characters. Pure."""

_UNITS = ((86_400, "d"), (3_600, "h"), (60, "m"))


def age(seconds: float) -> str:
    """Give the largest whole unit: `now` under a second, then `59s`, `2m`, `3h`, `4d`."""
    for size, unit in _UNITS:
        if seconds >= size:
            return f"{int(seconds // size)}{unit}"
    return f"{int(seconds)}s" if seconds >= 1 else "now"


def duration(seconds: float) -> str:
    """Give `0.4s`, `12s`, `2m 05s` or `1h 02m`."""
    if seconds < 9.95:
        return f"{seconds:.1f}s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole}s"
    if whole < 3_600:
        return f"{whole // 60}m {whole % 60:02}s"
    return f"{whole // 3_600}h {whole % 3_600 // 60:02}m"
