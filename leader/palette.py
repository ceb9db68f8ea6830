"""The colours of workers: a fixed cycle that colour-blind people can tell apart, and legible badges.

The cycle is that of Okabe and Ito (https://jfly.uni-koeln.de/color/), its yellow and blue moved towards
the middle so that each stays legible as text on dark and on light ground. Never looks at a terminal.
"""

import re
from collections.abc import Mapping
from itertools import chain, cycle
from types import MappingProxyType

COLOR_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "orange": "#e69f00",
        "sky": "#56b4e9",
        "green": "#009e73",
        "pink": "#cc79a7",
        "blue": "#4a86d8",
        "vermillion": "#d55e00",
        "yellow": "#c9b82a",
        "gray": "#8f8f8f",
        "red": "#d9483b",
        "cyan": "#2aa8b8",
        "purple": "#9a73d1",
        "magenta": "#c75fb4",
        "brown": "#a8763e",
        "white": "#c8c8c8",
    }
)
"""Every colour that a plan may name, as "#rrggbb"."""

CYCLE: tuple[str, ...] = tuple(COLOR_NAMES[name] for name in list(COLOR_NAMES)[:8])
"""What workers get whose plan names no colour, in this order."""

INK, PAPER = "#101418", "#ffffff"

_HEX = re.compile(r"#[0-9a-fA-F]{6}")


def resolve_color(wanted: str) -> str | None:
    """Give the "#rrggbb" of a palette name or of "#rrggbb" itself, or None for anything else."""
    if _HEX.fullmatch(wanted):
        return wanted.lower()
    return COLOR_NAMES.get(wanted)


def assign_colors(wanted: Mapping[str, str]) -> dict[str, str]:
    """Give each name its "#rrggbb": the wanted colour, or the next of the cycle that is still free.

    An empty or unknown wish counts as none. Colours repeat only when the cycle is used up.
    """
    given = {name: resolve_color(wish) for name, wish in wanted.items()}
    taken = set(given.values())
    free = [color for color in CYCLE if color not in taken]
    following = chain(free, cycle(CYCLE))
    return {name: color or next(following) for name, color in given.items()}


def luminance(color: str) -> float:
    """Give the relative luminance of "#rrggbb", 0 to 1 (WCAG 2.2)."""
    channels = (int(color[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Give the contrast ratio of two "#rrggbb", 1 to 21 (WCAG 2.2)."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def badge_ink(color: str) -> str:
    """Give the text colour, dark or white, that reads better on a badge of `color`."""
    return max((INK, PAPER), key=lambda ink: contrast(ink, color))


def badge_style(color: str) -> str:
    """Give the rich style of a badge of `color`."""
    return f"bold {badge_ink(color)} on {color}"
