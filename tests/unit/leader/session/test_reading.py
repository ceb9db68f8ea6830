"""What reading a journal finds, whatever was done to the file."""

import os
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from swarm.leader.errors import JournalBroken, JournalError
from swarm.leader.session.chain import GENESIS, seal
from swarm.leader.session.entries import AnyEntry, Noticed
from swarm.leader.session.head import HEAD_FILE, read_head
from swarm.leader.session.presence import lock_is_held
from swarm.leader.session.reading import read_journal, read_last


def lines_of(count: int) -> list[bytes]:
    lines, previous = [], GENESIS
    for number in range(1, count + 1):
        line, previous = seal(Noticed(level="info", text=f"entry {number}"), number, 1.5, previous)
        lines.append(line)
    return lines


LINES = lines_of(4)
WHOLE = b"".join(LINES)


def read(data: bytes) -> tuple[list[AnyEntry], int, int | None]:
    """Give the entries, the bytes of a torn tail, and the number of a broken line."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "j"
        path.write_bytes(data)
        reading = read_journal(path)
        entries: list[AnyEntry] = []
        try:
            entries.extend(record.entry for record in reading)
        except JournalBroken as broken:
            return entries, reading.torn, broken.line
        return entries, reading.torn, None


ENTRIES = read(WHOLE)[0]


@given(cut=st.integers(0, len(WHOLE)))
def test_any_truncation_gives_a_good_prefix_and_the_size_of_the_torn_tail(cut: int) -> None:
    entries, torn, broken = read(WHOLE[:cut])
    whole_lines = WHOLE[:cut].count(b"\n")
    assert entries == ENTRIES[:whole_lines]
    assert torn == cut - sum(map(len, LINES[:whole_lines]))
    assert broken is None


@settings(max_examples=300)
@given(place=st.integers(0, len(WHOLE) - 1), value=st.integers(0, 255))
def test_any_changed_byte_is_found_where_it_is(place: int, value: int) -> None:
    if WHOLE[place] == value:
        return
    entries, torn, broken = read(WHOLE[:place] + bytes([value]) + WHOLE[place + 1 :])
    line = WHOLE[:place].count(b"\n")
    assert entries == ENTRIES[:line]
    assert broken == line + 1 or (torn > 0 and line + 1 == len(LINES))


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param([LINES[0], LINES[2]], id="a line is missing"),
        pytest.param([LINES[0], LINES[0]], id="a line is doubled"),
        pytest.param([LINES[0], LINES[2], LINES[1]], id="lines are exchanged"),
        pytest.param([LINES[0], b"\n"], id="a line is empty"),
        pytest.param([LINES[0], b"\0" * 200 + b"\n"], id="zeros"),
    ],
)
def test_a_chain_that_does_not_hold_is_found(lines: list[bytes]) -> None:
    entries, _, broken = read(b"".join(lines))
    assert entries == ENTRIES[:1]
    assert broken == 2


def test_a_missing_first_line_is_found() -> None:
    assert read(LINES[1]) == ([], 0, 1)


def test_the_fault_says_file_line_byte_and_what_is_still_good(tmp_path: Path) -> None:
    (tmp_path / "j").write_bytes(LINES[0] + b"garbage\n")
    with pytest.raises(JournalBroken) as caught:
        list(read_journal(tmp_path / "j"))
    text = str(caught.value)
    assert f"{tmp_path}/j:2:" in text
    assert f"byte {len(LINES[0])}" in text
    assert "The entry before it is good" in text


def test_a_missing_journal_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="No such file"):
        read_journal(tmp_path / "j")


def test_a_reader_that_follows_goes_on_behind_a_line_that_was_half_there(tmp_path: Path) -> None:
    path = tmp_path / "j"
    path.write_bytes(LINES[0] + LINES[1][:20])
    with read_journal(path, follow=True) as reading:
        assert len(list(reading)) == 1
        assert reading.torn == 20
        path.write_bytes(WHOLE)
        assert [record.n for record in reading] == [2, 3, 4]
        assert reading.torn == 0


def test_a_pipe_in_the_place_of_a_file_of_a_session_is_never_waited_for(tmp_path: Path) -> None:
    for name in ("journal.jsonl", HEAD_FILE, "lock"):
        os.mkfifo(tmp_path / name, 0o600)
    with pytest.raises(JournalError, match="no regular file"):
        read_journal(tmp_path / "journal.jsonl")
    assert read_last(tmp_path / "journal.jsonl") is None
    assert read_head(tmp_path) is None
    assert not lock_is_held(tmp_path)
