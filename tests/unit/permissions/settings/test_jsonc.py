"""JSON with comments and trailing commas is read to the letter; everything else is a placed problem."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from swarm.permissions.settings.jsonc import DEEPEST, JsonProblem, parse
from swarm.permissions.settings.tree import Array, Node, Object, Scalar, line_at, place


def plain(node: Node | None) -> object:
    match node:
        case Scalar():
            return node.value
        case Array():
            return [plain(item) for item in node.items]
        case Object():
            return {member.key: plain(member.value) for member in node.items}
        case None:
            return None


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=150, deadline=None)
@given(VALUES, st.sampled_from([None, 2, "\t"]), st.booleans())
def test_whatever_json_is_read_as_json_reads_it(
    value: object, indent: int | str | None, ascii: bool
) -> None:
    assert plain(parse(json.dumps(value, indent=indent, ensure_ascii=ascii))) == value


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet='{}[]",:/*\\ \n\t0-1.eEtrufalsn\ufeff\ud800x', max_size=60))
def test_no_text_does_more_than_raise_a_placed_problem(text: str) -> None:
    offset = 0
    try:
        parse(text)
    except JsonProblem as problem:
        offset = problem.offset
    assert 0 <= offset <= len(text)


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet='{}[]",: \n01.eE-truefalsn', max_size=30))
def test_what_json_accepts_is_accepted_with_the_same_value(text: str) -> None:
    try:
        expected = json.loads(text)
    except ValueError:
        return
    assert plain(parse(text)) == expected


def test_comments_and_trailing_commas_are_blanks() -> None:
    text = '// head\n{ /* a */ "x": [1, /* b */ 2, // c\n ], "y": "// no /* comment */", } // end'
    assert plain(parse(text)) == {"x": [1, 2], "y": "// no /* comment */"}


@pytest.mark.parametrize("text", ["", " \n\t", "// only\n/* comments */", "\ufeff", "\ufeff// x"])
def test_a_text_of_blanks_holds_nothing(text: str) -> None:
    assert parse(text) is None


def test_positions_are_those_of_the_text() -> None:
    text = '{\n  "allow": [ "Bash(ls)", ],\n}'
    root = parse(text)
    assert isinstance(root, Object)
    rules = root.find("allow")
    assert isinstance(rules, Array)
    assert text[rules.start : rules.end] == '[ "Bash(ls)", ]'
    assert text[rules.items[0].start : rules.items[0].end] == '"Bash(ls)"'
    assert [text[comma] for comma in (*rules.commas, *root.commas)] == [",", ","]
    assert place(text, rules.items[0].start) == (2, 14)
    assert line_at(text, rules.start) == '  "allow": [ "Bash(ls)", ],'


@pytest.mark.parametrize(
    ("text", "offset", "problem"),
    [
        ('{"a": [1', 6, "never closed"),
        ('{"a": 1', 0, "never closed"),
        ('{"a": 1 "b": 2}', 8, "a comma is missing"),
        ("{a: 1}", 1, "a key was expected"),
        ("{'a': 1}", 1, "a key was expected"),
        ('{"a" 1}', 5, "has no value"),
        ('{"a": }', 6, "is no value"),
        ('{"a": yes}', 6, "'yes' is no value"),
        ('{"a": 01}', 6, "'01' is no value"),
        ('{"a":', 5, "the text ends"),
        ("[,]", 1, "',' is no value"),
        ("[1,,2]", 3, "',' is no value"),
        ("{} x", 3, "after the end"),
        ("{} /* x", 3, "never closed"),
        ('["a\nb"]', 3, "control character"),
        ('["a', 1, "unterminated string"),
        (r'["\q"]', 2, "escape"),
        ("[" * 5000, DEEPEST + 1, "levels"),
        ("NaN", 0, "is no value"),
    ],
)
def test_a_fault_is_placed_and_named(text: str, offset: int, problem: str) -> None:
    with pytest.raises(JsonProblem) as caught:
        parse(text)
    assert caught.value.offset == offset
    assert problem in caught.value.problem
    assert caught.value.advice.endswith(".")
