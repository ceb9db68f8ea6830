import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from swarm.leader.hostile import _PLAIN, MARKS_KEPT, _kind, as_text, clip, escape, label

HOSTILE = st.text(st.characters(codec=None), max_size=200) | st.text(
    st.sampled_from(
        "\x1b[2J]0;\x07\x9b31m\u202e\u2066\u200b\u0301\u0488a漢👍🏽\ufe0f\u200d\ud800\ue000\u3000\n\t\r[/red]"
    ),
    max_size=60,
)


@given(HOSTILE, st.booleans())
def test_nothing_that_comes_out_can_control_or_hide(text: str, keep_newlines: bool) -> None:
    shown = escape(text, keep_newlines=keep_newlines)
    for character in shown:
        assert character.isprintable() or (keep_newlines and character == "\n")
    shown.encode()


@given(HOSTILE, st.booleans())
def test_escaping_twice_is_escaping_once(text: str, keep_newlines: bool) -> None:
    once = escape(text, keep_newlines=keep_newlines)
    assert escape(once, keep_newlines=keep_newlines) == once


@given(HOSTILE)
def test_no_visible_letter_is_lost(text: str) -> None:
    shown = iter(escape(text))
    letters = [character for character in text if unicodedata.category(character)[0] in "LNP"]
    blank = {"\u115f", "\u1160", "\u3164", "\uffa0"}
    assert all(letter in shown for letter in letters if letter not in blank)


@given(HOSTILE, st.integers(-1, 40))
def test_a_clipped_line_fits_its_cells(text: str, cells: int) -> None:
    assert cell_len(clip(escape(text), cells)) <= max(cells, 0)
    assert cell_len(label(text, cells)) <= max(cells, 0)


@given(HOSTILE)
def test_rich_text_says_the_same_and_reads_no_markup(text: str) -> None:
    assert as_text(text).plain == escape(text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("rm \x1b[2Jx", "rm \\x1b[2Jx"),
        ("a\u202eb", "a\\u202eb"),
        ("a\u200bb", "a\\u200bb"),
        ("a\xa0b\u3000c", "a\\xa0b\\u3000c"),
        ("\ud800", "\\ud800"),
        ("\U000e0041", "\\U000e0041"),
        ("one\ntwo\r\tthree", "one\\ntwo\\r\\tthree"),
        ("\u0301x", "\\u0301x"),
        ("漢字 e\u0301 👍", "漢字 e\u0301 👍"),
        ("⚠\ufe0f 👩\u200d💻 👍🏽", "⚠ 👩💻 👍"),
        ("x\ufe0f", "x\\ufe0f"),
        ("[bold]no[/]", "[bold]no[/]"),
    ],
)
def test_known_tricks_are_shown(text: str, shown: str) -> None:
    assert escape(text) == shown


def test_newlines_stay_and_tabs_become_blanks_in_a_block() -> None:
    assert escape("a\n\tb\x07", keep_newlines=True) == "a\n    b\\x07"


def test_text_that_passes_in_one_piece_is_visible_to_the_last_character() -> None:
    for code in range(0x20000):
        if _PLAIN.match(chr(code)):
            assert _kind(chr(code)) == "visible", f"{code:x}"


def test_stacked_marks_are_limited_and_the_rest_is_shown() -> None:
    assert escape("e" + "\u0301" * (MARKS_KEPT + 2)) == "e" + "\u0301" * MARKS_KEPT + "\\u0301" * 2


def test_a_cut_is_marked() -> None:
    assert clip("abcdef", 4) == "abc…"
    assert clip("漢字漢字", 4) == "漢…"
    assert label("x" * 1_000_000, 5) == "xxxx…"
    assert label("fits", 4) == "fits"


def test_a_megabyte_is_escaped_in_linear_time() -> None:
    started = time.perf_counter()
    escape("\x1b漢e\u0301" * 50_000)
    assert time.perf_counter() - started < 15
