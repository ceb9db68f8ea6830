import random
import time

from hypothesis import given, settings
from hypothesis import strategies as st

from swarm.worker.tools.diffs import DIFF_CAP, unified_diff


def applied(diff: str, old: str) -> str:
    """Give what a unified diff makes of a text, checking each line that it keeps or removes."""
    source = [line + "\n" for line in old.split("\n")]
    source[-1] = source[-1][:-1]
    source = [line for line in source if line]
    result: list[str] = []
    position = 0
    lines = diff.split("\n")[2:-1]
    for number, line in enumerate(lines):
        is_unended = number + 1 < len(lines) and lines[number + 1].startswith("\\")
        text = line[1:] + ("" if is_unended else "\n")
        if line.startswith("@@"):
            start, length = [*map(int, line.split()[1][1:].split(",")), 1][:2]
            begin = start - 1 if length else start
            result.extend(source[position:begin])
            position = begin
        elif line[0] in " -":
            assert source[position] == text
            position += 1
        if line[0] in " +":
            result.append(text)
    return "".join([*result, *source[position:]])


texts = st.lists(st.sampled_from(["a", "b", "", "你", "@@", "-x", "\r"]), max_size=30).map("\n".join)


@given(texts, texts)
@settings(max_examples=300, deadline=None)
def test_a_diff_makes_the_new_text_of_the_old(old: str, new: str) -> None:
    assert applied(unified_diff(old, new, "a", "a").text, old) == new


def test_a_missing_last_line_feed_is_shown() -> None:
    assert unified_diff("a\n", "a", "a", "a").text.endswith("-a\n+a\n\\ No newline at end of file\n")


def test_changes_far_apart_are_two_hunks() -> None:
    old = "".join(f"{number}\n" for number in range(40))
    diff = unified_diff(old, old.replace("\n5\n", "\nx\n").replace("\n30\n", "\ny\n"), "a", "a")
    assert diff.text.count("@@ -") == 2
    assert (diff.added, diff.removed, diff.note) == (2, 2, "")


def test_a_long_diff_ends_with_a_whole_hunk_and_says_how_much_is_missing() -> None:
    old = "".join(f"{number} {'x' * 100}\n" for number in range(8000))
    new = "".join(f"{number} {'y' if number % 20 == 0 else 'x' * 100}\n" for number in range(8000))
    diff = unified_diff(old, new, "a", "a")
    assert len(diff.text) <= DIFF_CAP
    shown = sum(line[0] in "+-" for line in diff.text.split("\n")[2:-1])
    assert f"{800 - shown:,} more changed lines are not shown." in diff.note
    assert shown % 2 == 0
    assert (diff.added, diff.removed) == (400, 400)


def test_a_small_edit_of_a_huge_file_is_exact_and_quick() -> None:
    old = "".join(f"line {number}\n" for number in range(500_000))
    began = time.monotonic()
    diff = unified_diff(old, old.replace("line 250000\n", "changed\n"), "a", "a")
    assert (diff.added, diff.removed, diff.note) == (1, 1, "")
    assert time.monotonic() - began < 5


def test_a_rewrite_of_a_huge_file_is_summed_up_in_time() -> None:
    old = "".join(f"old {number}\n" for number in range(100_000))
    new = "".join(f"new {number}\n" for number in range(90_000))
    began = time.monotonic()
    diff = unified_diff(old, new, "a", "a")
    assert time.monotonic() - began < 5
    assert (diff.added, diff.removed) == (90_000, 100_000)
    assert "only how it begins" in diff.note
    assert "more changed lines" in diff.note
    assert 0 < len(diff.text) <= DIFF_CAP


def test_texts_of_few_different_lines_do_not_hang() -> None:
    draw = random.Random(1)
    for kinds in (2, 30, 300):
        old, new = ("".join(f"{draw.randrange(kinds)}\n" for _ in range(4900)) for _ in range(2))
        began = time.monotonic()
        unified_diff(old, new, "a", "a")
        assert time.monotonic() - began < 5


def test_a_line_of_a_megabyte_is_cut_with_a_note() -> None:
    diff = unified_diff("x" * 1_000_000, "x" * 1_000_000 + "y", "a", "a")
    assert len(diff.text) < 30_000
    assert "Some lines are cut." in diff.note
