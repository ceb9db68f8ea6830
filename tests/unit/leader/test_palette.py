from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarm.leader.palette import (
    COLOR_NAMES,
    CYCLE,
    assign_colors,
    badge_ink,
    badge_style,
    contrast,
    resolve_color,
)

COLORS = st.integers(0, 0xFFFFFF).map(lambda value: f"#{value:06x}")


def test_a_given_colour_is_kept_and_not_handed_out_again() -> None:
    colors = assign_colors({"a": "", "b": CYCLE[0], "c": "sky", "d": "#ABCDEF"})
    assert colors["b"] == CYCLE[0]
    assert colors["c"] == COLOR_NAMES["sky"]
    assert colors["d"] == "#abcdef"
    assert colors["a"] not in {colors["b"], colors["c"], colors["d"]}


@given(st.integers(1, len(CYCLE)))
def test_colours_do_not_repeat_while_the_cycle_lasts(count: int) -> None:
    assert len(set(assign_colors({f"w{n}": "" for n in range(count)}).values())) == count


def test_a_hundred_workers_all_get_a_colour() -> None:
    assert len(assign_colors({f"w{n}": "" for n in range(100)})) == 100


def test_an_unknown_name_is_no_colour() -> None:
    assert resolve_color("mauve-ish") is None
    assert resolve_color("#12345") is None


@given(COLORS)
def test_text_on_any_badge_is_legible(color: str) -> None:
    ink = badge_ink(color)
    assert contrast(ink, color) >= 4.3
    assert badge_style(color) == f"bold {ink} on {color}"


@pytest.mark.parametrize("color", COLOR_NAMES.values())
def test_every_colour_stands_out_on_dark_and_is_seen_on_light(color: str) -> None:
    assert contrast(color, "#121212") >= 4
    assert contrast(color, "#ffffff") >= 1.6


def test_no_two_colours_of_the_palette_are_the_same() -> None:
    assert all(one != other for one, other in combinations(COLOR_NAMES.values(), 2))
