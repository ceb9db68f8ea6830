"""The short way for plain commands gives what the long one gives."""

import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from swarm.permissions.shell.builtins import BUILTINS
from swarm.permissions.shell.compound import COMPOUND
from swarm.permissions.shell.plain import NOT_PLAIN, read_plain
from swarm.permissions.shell.simple import read_any
from swarm.permissions.shell.wrappers import SHELLS, WRAPPERS

SIGNS = string.ascii_letters + string.digits + "_./:@%+,=-"
NAMES = st.sampled_from(
    [
        *NOT_PLAIN,
        *SHELLS,
        *WRAPPERS,
        *BUILTINS,
        *COMPOUND,
        "python3",
        "node",
        "pytest",
        "ls",
        "/bin/ls",
        "a=",
    ]
)
WORDS = st.one_of(
    NAMES,
    st.text(SIGNS, min_size=1, max_size=6),
    st.text(SIGNS + ' "()<>;&|#', max_size=6).map(lambda text: f"'{text}'"),
    st.sampled_from(["-c", "--", "-", "=", "x=1", "1", ".", "..", "/", "%1", "+x", "-exec", "''"]),
)


@settings(max_examples=1_000, deadline=None)
@given(st.lists(WORDS, min_size=1, max_size=5), st.sampled_from([" ", "  "]))
def test_what_is_read_the_short_way_is_read_the_same_the_long_way(words: list[str], blank: str) -> None:
    text = blank.join(words)
    found = read_plain(text, "/w")
    if found is not None:
        assert found == read_any(text, "/w", "/home/dev")


@settings(max_examples=500, deadline=None)
@given(st.text(SIGNS + " '\"$`\\\\;&|<>(){}[]*?~!#\\n\\t", max_size=12))
def test_any_text_is_read_the_same_both_ways_or_only_the_long_way(text: str) -> None:
    found = read_plain(text, "/w")
    if found is not None:
        assert found == read_any(text, "/w", "/home/dev")


@pytest.mark.parametrize("text", ["ls", "pytest -q tests/unit", "make -j 4 all", "grep 'a b' src/x.py"])
def test_the_commonest_commands_take_the_short_way(text: str) -> None:
    assert read_plain(text, "/w") is not None
