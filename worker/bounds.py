"""Bounds text that leaves the worker. Pure."""

RESULT_CAP = 64 * 1024
"""How many bytes of a result other workers get at most."""


def bounded(text: str, cap: int = RESULT_CAP) -> str:
    """Give `text` with at most `cap` bytes of it, and a last line that says how much was cut."""
    data = text.encode("utf-8", "replace")
    if len(data) <= cap:
        return data.decode()
    kept = data[:cap].decode("utf-8", "ignore")
    return f"{kept}\n… {len(data) - len(kept.encode()):,} more bytes were cut."
