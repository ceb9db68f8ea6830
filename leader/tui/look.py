"""The styles that lines are painted with, by meaning. Knows no widget."""

from functools import lru_cache

from rich.style import Style

from swarm.leader.palette import badge_style

TEXT = "#d5dae1"
MUTED = "#9099a5"
FAINT = "#626b77"
STRONG = "bold #f0f3f6"
ASKS = "bold #f2c14e"
GOOD = "#56b88a"
BAD = "#f07a70"
WARN = "#e0a458"
LINK = "#6cb6ff"
ADDED = "#7ccf9b"
REMOVED = "#f09a92"
HUNK = "#7aa2d8"
THINKING = "italic #9099a5"
BEHIND = "underline #f2c14e"
"""What makes a request ask is underlined in addition to its own style."""

SELECTED = Style.parse("on #2a2d33")


@lru_cache(maxsize=1024)
def style_of(definition: str) -> Style:
    """Give the rich style of a definition such as `bold #rrggbb`."""
    return Style.parse(definition)


def badge(name: str, color: str, *, plain: bool = False) -> tuple[str, str]:
    """Give the piece that shows an escaped worker name; `plain` needs no colour to stand out."""
    return (f"[{name}]", "bold") if plain else (f" {name} ", badge_style(color))
