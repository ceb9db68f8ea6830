"""Cutting what is shown of a command, with a sign that it was cut. Pure."""


def shortened(text: str, most: int = 60) -> str:
    """The text, at most so many characters of it; the last one tells that there was more."""
    return text if len(text) <= most else text[: most - 1] + "…"
