"""The grammar of references in plans."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarm.ipc.errors import BadReference
from swarm.ipc.variables import Reference, expand, parse, problems, references


def test_a_reference_is_found_with_its_span() -> None:
    assert references("Fix: ${tasks.unit-tests_2.result}!") == [
        Reference((5, 33), "tasks", "unit-tests_2", "result")
    ]


@pytest.mark.parametrize(
    "text",
    ["${tasks.a.result}", "${tasks.a.status}", "${steps.a.output}", "${steps.a.outcome}"],
)
def test_every_field_of_every_scope_is_known(text: str) -> None:
    assert [str(reference) for reference in references(text)] == [text]


def test_a_doubled_dollar_stands_for_a_literal_opening() -> None:
    assert expand("$${HOME} costs $5 and $$", lambda _: "x") == "${HOME} costs $5 and $$"


@pytest.mark.parametrize(
    ("text", "span", "said"),
    [
        ("ab ${tasks.a.result", (3, 19), "not closed"),
        ("ab ${tasks.a.\nresult}", (3, 13), "not closed"),
        ("${HOME}", (0, 7), "Write $${"),
        ("${tasks.a}", (0, 10), "wrong form"),
        ("${tasks.a b.result}", (0, 19), "wrong form"),
        ("${steps.a.result}", (0, 17), "only output or outcome"),
        ("${}", (0, 3), "nothing known"),
    ],
)
def test_a_malformed_reference_is_a_problem_with_its_place(
    text: str, span: tuple[int, int], said: str
) -> None:
    (problem,) = problems(text)
    assert problem.span == span
    assert said in problem.text


def test_every_problem_is_found_and_sound_references_beside_them() -> None:
    parsed = parse("${a} ${tasks.x.status} ${steps.y.z}")
    assert [problem.span[0] for problem in parsed.problems] == [0, 23]
    assert [reference.name for reference in parsed.references] == ["x"]


def test_expanding_a_malformed_text_raises_with_the_place() -> None:
    with pytest.raises(BadReference, match="Character 4: "):
        expand("ab ${oops}", lambda _: "x")


def test_a_value_is_never_expanded_again() -> None:
    assert expand("${tasks.a.result}", lambda _: "${tasks.b.result} $${") == "${tasks.b.result} $${"


def test_values_go_through_the_quoting_and_literal_text_does_not() -> None:
    assert expand("a b ${tasks.a.result}", lambda _: "c d", quote=lambda value: f"<{value}>") == "a b <c d>"


@given(st.text(alphabet="$${}.tasksult \n", max_size=60))
def test_any_text_is_taken_apart_without_loss_and_in_order(text: str) -> None:
    parsed = parse(text)
    spans = [piece.span for piece in parsed.pieces if not isinstance(piece, str)]
    assert spans == sorted(spans)
    literal = sum(len(piece) for piece in parsed.pieces if isinstance(piece, str))
    covered = sum(end - start for start, end in spans)
    assert literal + covered + text.count("$${") >= len(text)
    assert literal + covered <= len(text)
