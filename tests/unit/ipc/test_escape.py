import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarm.ipc.escape import EXCERPT, excerpt, visible


@pytest.mark.parametrize(
    ("hostile", "shown"),
    [
        ("\x1b[31m", "\\x1b[31m"),
        ("\x9b2J", "\\x9b2J"),
        ("a\tb\r\n\0", "a\\x09b\\x0d\\x0a\\x00"),
        ("\u202egpj.exe", "\\u202egpj.exe"),
        ("a\u200bb\u2066c", "a\\u200bb\\u2066c"),
        ("\u2028\u2029\u00a0", "\\u2028\\u2029\\xa0"),
        ("\U000e0041", "\\U000e0041"),
        ("\ufe0f\u3164\u115f", "\\ufe0f\\u3164\\u115f"),
        ("grün 漢字 é", "grün 漢字 é"),
    ],
)
def test_what_could_act_or_hide_is_written_out(hostile: str, shown: str) -> None:
    assert visible(hostile) == shown


def test_bytes_that_are_no_text_are_written_out() -> None:
    assert excerpt(b"a\xff\xfe\x1b") == "a\\xff\\xfe\\x1b"


@given(st.text(max_size=400))
def test_an_excerpt_is_short_and_printable(text: str) -> None:
    shown = visible(text)
    assert len(shown) <= EXCERPT
    assert shown.isprintable()


@given(st.binary(max_size=400))
def test_an_excerpt_of_any_bytes_is_short_and_printable(line: bytes) -> None:
    shown = excerpt(line)
    assert len(shown) <= EXCERPT
    assert shown.isprintable()
