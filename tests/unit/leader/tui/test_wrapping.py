from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from swarm.leader.hostile import escape
from swarm.leader.tui.wrapping import cells, plain, wrap_exact, wrap_pieces, wrap_words

TEXT = st.text(st.sampled_from("ab c\n漢e\u0301👍 "), max_size=80).map(
    lambda text: escape(text, keep_newlines=True)
)
WIDTH = st.integers(2, 20)


@given(TEXT, WIDTH)
def test_no_line_is_wider_than_asked(text: str, width: int) -> None:
    assert all(cell_len(line) <= width for line in wrap_words(text, width) + wrap_exact(text, width))


@given(TEXT, WIDTH)
def test_exact_wrapping_loses_no_character(text: str, width: int) -> None:
    assert "".join(wrap_exact(text, width)) == text.replace("\n", "")


@given(TEXT, WIDTH)
def test_wrapping_at_words_loses_nothing_but_blanks(text: str, width: int) -> None:
    assert "".join("".join(wrap_words(text, width)).split()) == "".join(text.split())


@given(st.lists(st.tuples(TEXT, st.sampled_from(["", "bold"])), max_size=6), WIDTH)
def test_styled_pieces_wrap_as_their_text_does(pieces: list[tuple[str, str]], width: int) -> None:
    lines = [plain(line) for line in wrap_pieces(pieces, width)]
    assert lines == wrap_exact("".join(text for text, _ in pieces), width)


def test_long_lines_break_after_blanks_and_long_words_anywhere() -> None:
    assert wrap_words("one two three", 8) == ["one two", "three"]
    assert wrap_words("abcdefghij", 4) == ["abcd", "efgh", "ij"]
    assert wrap_words("漢字漢字", 5) == ["漢字", "漢字"]


@given(st.text(st.characters(min_codepoint=32, max_codepoint=0x3100), max_size=40))
def test_the_width_in_cells_is_that_of_the_terminal_library(text: str) -> None:
    shown = escape(text)
    assert cells(shown) == cell_len(shown)
