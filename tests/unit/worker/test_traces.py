"""Short stack traces and bounded texts."""

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from swarm.worker.bounds import bounded
from swarm.worker.traces import short_trace


def caught(depth: int) -> Exception:
    def fall(left: int) -> None:
        if left == 0:
            raise ValueError("deep down")
        fall(left - 1)

    return raised(lambda: fall(depth))


def raised(action: Callable[[], None]) -> Exception:
    try:
        action()
    except Exception as error:
        return error
    raise AssertionError("nothing was raised")


def test_a_trace_holds_the_five_innermost_frames() -> None:
    lines = short_trace(caught(20)).splitlines()
    assert lines[0] == "ValueError: deep down"
    assert "frames left out" in lines[1]
    assert len(lines) == 7
    assert lines[-1].endswith("in fall")


def test_a_short_trace_is_whole() -> None:
    assert "left out" not in short_trace(caught(1))


def test_a_group_of_errors_is_told_by_its_first() -> None:
    group = ExceptionGroup("outer", [ExceptionGroup("inner", [caught(0), KeyError()])])
    assert short_trace(group).startswith("ValueError: deep down\n")


@given(st.text(), st.integers(0, 40))
def test_a_bounded_text_keeps_its_cap_and_says_what_is_cut(text: str, cap: int) -> None:
    size = len(text.encode())
    given_text = bounded(text, cap)
    if size <= cap:
        assert given_text == text
    else:
        kept, _, said = given_text.rpartition("\n")
        assert len(kept.encode()) <= cap
        assert said == f"… {size - len(kept.encode()):,} more bytes were cut."


def test_a_text_that_is_no_unicode_is_made_so() -> None:
    assert bounded("a\udcff") == "a?"
