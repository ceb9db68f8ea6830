import time
import tracemalloc
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from swarm.ipc.framing import LineSplitter, Piece, Skipped
from swarm.ipc.messages import LINE_CAP


def in_portions(data: bytes, cuts: list[int]) -> list[bytes]:
    edges = [0, *sorted(cut % (len(data) + 1) for cut in cuts), len(data)]
    return [data[start:end] for start, end in pairwise(edges)]


def split(data: bytes, cuts: list[int] | None = None, cap: int = LINE_CAP) -> list[Piece]:
    splitter = LineSplitter(cap)
    pieces = [piece for portion in in_portions(data, cuts or []) for piece in splitter.feed(portion)]
    return pieces + splitter.finish()


def test_a_portion_with_several_lines_gives_each() -> None:
    assert split(b"one\ntwo\nthree\n") == [b"one", b"two", b"three"]


def test_a_line_is_given_only_when_its_newline_has_come() -> None:
    splitter = LineSplitter()
    assert splitter.feed(b"on") == []
    assert splitter.feed(b"e") == []
    assert splitter.feed(b"\nt") == [b"one"]


def test_a_character_cut_in_two_is_put_together() -> None:
    text = "für\n".encode()
    assert split(text, [2]) == ["für".encode()]


def test_windows_line_ends_are_taken_off_even_when_cut_in_two() -> None:
    assert split(b"a\r\nb\r\n") == [b"a", b"b"]
    assert split(b"a\r\nb\r\n", [2]) == [b"a", b"b"]


def test_just_one_return_belongs_to_the_line_end() -> None:
    for cut in range(4):
        assert split(b"a\r\r\n", [cut]) == [b"a\r"]


def test_empty_lines_are_ignored() -> None:
    assert split(b"\n\r\n\na\n\n\r\n") == [b"a"]


def test_a_byte_order_mark_is_taken_off_the_start_only() -> None:
    mark = b"\xef\xbb\xbf"
    for cut in range(5):
        assert split(mark + b"a\n" + mark + b"b\n", [cut]) == [b"a", mark + b"b"]


def test_a_line_at_the_cap_is_given_and_one_byte_more_is_skipped() -> None:
    assert split(b"x" * 10 + b"\n", cap=10) == [b"x" * 10]
    assert split(b"x" * 10 + b"\r\n", [10, 11], cap=10) == [b"x" * 10]
    assert split(b"x" * 11 + b"\na\n", cap=10) == [Skipped(b"x" * 11, 11), b"a"]
    assert split(b"x" * 11 + b"\na\n", [5, 11], cap=10) == [Skipped(b"x" * 11, 11), b"a"]


def test_the_size_of_a_skipped_line_does_not_depend_on_the_portions() -> None:
    stream = b"x" * 11 + b"\r\n"
    for cut in range(len(stream)):
        assert split(stream, [cut], cap=10) == [Skipped(b"x" * 11, 11)]


def test_a_line_that_the_end_cuts_off_is_reported_with_its_size() -> None:
    assert split(b"a\nbcd") == [b"a", Skipped(b"bcd", 3, truncated=True)]
    assert split(b"a\n" + b"x" * 50, [1, 20], cap=10)[1:] == [Skipped(b"x" * 50, 50, truncated=True)]


def test_nothing_is_reported_at_an_end_between_lines() -> None:
    assert split(b"") == []
    assert split(b"a\n") == [b"a"]


def test_a_line_of_100_megabytes_is_skipped_in_bounded_memory() -> None:
    splitter = LineSplitter()
    portion = b"x" * 16384
    tracemalloc.start()
    for _ in range(6400):
        assert splitter.feed(portion) == []
    [skipped, after] = splitter.feed(b"\nafter\n")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert isinstance(skipped, Skipped)
    assert skipped.size == 6400 * 16384
    assert len(skipped.head) < 1000
    assert after == b"after"
    assert peak < 3 * LINE_CAP


def test_the_longest_line_in_small_portions_takes_linear_time() -> None:
    def seconds(size: int) -> float:
        splitter = LineSplitter()
        began = time.process_time()
        for _ in range(size // 16384):
            splitter.feed(b"x" * 16384)
        assert len(splitter.feed(b"\n")) == 1
        return time.process_time() - began

    assert min(seconds(LINE_CAP) for _ in range(3)) < 0.5


pieces_of_lines = st.lists(
    st.sampled_from([b"a", b"\r", b"\n", b"\xef\xbb\xbf", b"x" * 11, b"{}"]), max_size=20
)


@given(pieces_of_lines, st.lists(st.integers(0, 200), max_size=12))
@settings(max_examples=150)
def test_any_cut_through_line_ends_and_marks_gives_the_same_lines(
    pieces: list[bytes], cuts: list[int]
) -> None:
    stream = b"".join(pieces)
    assert split(stream, cuts, cap=12) == split(stream, cap=12)


@given(st.lists(st.binary(max_size=30), max_size=20), st.lists(st.integers(0, 700), max_size=12))
@settings(max_examples=150)
def test_any_cut_of_the_stream_gives_the_same_lines(lines: list[bytes], cuts: list[int]) -> None:
    stream = b"\n".join(lines)
    assert split(stream, cuts, cap=12) == split(stream, cap=12)


@given(st.binary(max_size=200), st.lists(st.integers(0, 200), max_size=8))
@settings(max_examples=150)
def test_no_byte_is_lost_or_made_up(stream: bytes, cuts: list[int]) -> None:
    expected = [line.removesuffix(b"\r") for line in stream.removeprefix(b"\xef\xbb\xbf").split(b"\n")]
    given_lines = split(stream + b"\n", cuts)
    assert given_lines == [line for line in expected if line]
