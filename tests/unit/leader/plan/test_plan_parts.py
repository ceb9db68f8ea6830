"""The pure parts: durations, the graph of needs, and that no text whatever breaks the loader."""

import itertools
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarm.leader.plan.document import Document, read_document
from swarm.leader.plan.durations import parse_duration
from swarm.leader.plan.errors import PlanInvalid
from swarm.leader.plan.graph import all_needs, find_cycles
from swarm.leader.plan.sizes import format_size, parse_memory, parse_size

NAMES = st.sampled_from("abcdef")
GRAPHS = st.dictionaries(NAMES, st.lists(NAMES, max_size=3), max_size=6)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("90s", 90), ("30m", 1800), ("1h30m", 5400), ("1.5h", 5400), (45, 45), (0.5, 0.5), ("1h1m1s", 3661)],
)
def test_durations_are_read(text: object, seconds: float) -> None:
    assert parse_duration(text) == seconds


@pytest.mark.parametrize(
    "text", ["", "30", "m", "30 m", "1m1h", "-1s", "1d", True, None, [], -1, 1e12, "0s"]
)
def test_what_is_no_duration_is_refused_with_the_forms_there_are(text: object) -> None:
    with pytest.raises(ValueError, match=re.escape('"1h30m"')):
        parse_duration(text)


@given(GRAPHS)
def test_each_cycle_found_is_one_and_without_them_none_is_left(needs: dict[str, list[str]]) -> None:
    cycles = find_cycles(needs)
    for cycle in cycles:
        assert cycle[0] == cycle[-1]
        assert all(after in needs[before] for before, after in itertools.pairwise(cycle))
    gone = {name for cycle in cycles for name in cycle}
    rest = {
        name: [o for o in others if o not in gone] for name, others in needs.items() if name not in gone
    }
    assert find_cycles(rest) == []
    assert bool(cycles) == any(name in reach for name, reach in all_needs(needs).items())


@given(st.text(alphabet="ab:-[]{}&*!|>'\"#%@, \n\t\x00\ud7ff\U0001f600", max_size=60))
def test_any_text_is_a_document_or_a_list_of_problems(text: str) -> None:
    outcome = read_or_refuse(text)
    if isinstance(outcome, Document):
        places = [outcome.place(location) for location in outcome.marks]
        assert all(1 <= place.line <= text.count("\n") + 1 for place in places)
    else:
        assert str(outcome).startswith("plan.yaml")


def read_or_refuse(text: str) -> Document | PlanInvalid:
    try:
        return read_document(Path("plan.yaml"), text)
    except PlanInvalid as error:
        return error


@pytest.mark.parametrize(
    ("text", "size"),
    [("512MiB", 512 * 1024**2), ("1.5 GB", 1_500_000_000), ("2gib", 2 * 1024**3), ("7B", 7), (99, 99)],
)
def test_sizes_are_read(text: object, size: int) -> None:
    assert parse_size(text) == size


@pytest.mark.parametrize(
    "text", ["", "2", "2G", "-1MiB", "1e3KB", "lots", 0, -1, True, 1.5, [], "9" * 400 + "TB"]
)
def test_what_is_no_size_is_refused_with_the_forms_there_are(text: object) -> None:
    with pytest.raises(ValueError, match="512MiB"):
        parse_size(text)


def test_a_limit_of_memory_leaves_the_worker_itself_some() -> None:
    with pytest.raises(ValueError, match="at least 64MiB"):
        parse_memory("10MiB")


def test_sizes_are_shown_in_the_largest_unit_that_fits() -> None:
    assert [format_size(size) for size in (7, 1536, 2 * 1024**3)] == ["7 B", "1.5 KiB", "2 GiB"]
