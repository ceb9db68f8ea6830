"""Every way to tamper with a journal is found, and named; what a crash leaves is told apart."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from swarm.leader.audit.findings import end_of, fault_line, sound
from swarm.leader.audit.verification import Verification, verify
from swarm.leader.session.chain import GENESIS, seal
from swarm.leader.session.entries import AnyEntry, Noticed, SessionEnded


def journal(count: int = 8, first: int = 1, prev: str = GENESIS, word: str = "line") -> list[bytes]:
    """Give a good journal whose last entry is the session's end."""
    lines = []
    for number in range(first, count + 1):
        entry: AnyEntry = Noticed(level="info", text=f"{word} {number}")
        line, prev = seal(
            SessionEnded(exit_code=0) if number == count else entry, number, number * 1.5, prev
        )
        lines.append(line)
    return lines


def told(found: Verification) -> list[str]:
    return [fault_line(fault) for fault in found.faults]


def test_a_whole_journal_is_sound_and_its_last_hash_is_told() -> None:
    lines = journal()
    found = verify(lines)
    assert sound(found)
    assert (found.entries, found.last_entry, found.ended) == (8, 8, True)
    assert found.last_hash.encode() in lines[-1]
    assert end_of(found, alive=False) == "It ends with the end of the session."


def _changed(lines: list[bytes]) -> None:
    lines[3] = lines[3].replace(b"line 4", b"LINE 4")


def _removed(lines: list[bytes]) -> None:
    del lines[3:5]


def _swapped(lines: list[bytes]) -> None:
    lines[3], lines[4] = lines[4], lines[3]


def _repeated(lines: list[bytes]) -> None:
    lines.insert(4, lines[3])


def _sealed_anew(lines: list[bytes]) -> None:
    lines[3] = journal(9, 4, verify(lines[:3]).last_hash, "other")[0]


def _renumbered(lines: list[bytes]) -> None:
    lines[3] = lines[3].replace(b'"n":4', b'"n":9')


def _garbage(lines: list[bytes]) -> None:
    lines[3] = b"\x00\xff garbage\n"


def _put_in(lines: list[bytes]) -> None:
    lines.insert(3, b"{}\n")


def _without_first(lines: list[bytes]) -> None:
    del lines[0]


def _beginning_anew(lines: list[bytes]) -> None:
    lines[0] = journal(9, 1, "1" * 64)[0]


def _rehashed(lines: list[bytes]) -> None:
    lines[3] = lines[3][:-10] + b"0000000" + lines[3][-3:]


def _bytes_behind(lines: list[bytes]) -> None:
    lines.append(b'{"n":9,"at":1')


@pytest.mark.parametrize(
    ("tamper", "faults"),
    [
        (_changed, ["line 4, entry 4: its content does not fit its hash"]),
        (_removed, ["line 4, entry 4: entries 4 to 5 are missing before this line"]),
        (_swapped, ["line 5, entry 4: it stands in the wrong place"]),
        (_repeated, ["line 5, entry 4: it is there a second time"]),
        (_sealed_anew, ["line 5, entry 5: it was written after another entry 4"]),
        (_renumbered, ["line 4, entry 4: its content does not fit its hash"]),
        (_garbage, ["line 4: this is no entry", "line 5, entry 4: entry 4 is missing"]),
        (_put_in, ["line 4: this is no entry"]),
        (_without_first, ["line 1, entry 1: entry 1 is missing before this line"]),
        (
            _beginning_anew,
            [
                "line 1, entry 1: it claims to follow another",
                "line 2, entry 2: it was written after another",
            ],
        ),
        (
            _rehashed,
            ["line 4, entry 4: its content does not", "line 5, entry 5: it was written after another"],
        ),
        (_bytes_behind, ["line 9: 13 bytes stand behind the end of the session"]),
    ],
)
def test_each_kind_of_tampering_is_named_with_its_place(
    tamper: Callable[[list[bytes]], None], faults: list[str]
) -> None:
    lines = journal()
    tamper(lines)
    found = told(verify(lines))
    assert len(found) == len(faults), found
    for line, start in zip(found, faults, strict=True):
        assert line.startswith(start)


@settings(max_examples=200)
@given(st.data())
def test_no_change_of_one_byte_goes_unnoticed(data: st.DataObject) -> None:
    whole = b"".join(journal(4))
    at = data.draw(st.integers(0, len(whole) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda value: value != whole[at]))
    changed = whole[:at] + bytes([byte]) + whole[at + 1 :]
    found = verify(changed.splitlines(keepends=True) if b"\r" not in changed else _split(changed))
    assert not sound(found)


@settings(max_examples=200)
@given(st.permutations(range(6)), st.sets(st.integers(0, 5)))
def test_no_loss_and_no_other_order_goes_unnoticed(order: list[int], lost: set[int]) -> None:
    lines = journal(6)
    kept = [number for number in order if number not in lost]
    found = verify([lines[number] for number in kept])
    assert sound(found) == (kept == list(range(len(kept))))
    assert found.ended == (bool(kept) and kept == sorted(kept) and kept[-1] == 5) or not sound(found)


def _split(data: bytes) -> list[bytes]:
    return [line + b"\n" for line in data.split(b"\n")[:-1]] + [data.split(b"\n")[-1]]


@given(st.integers(1, 200))
def test_what_a_crash_leaves_of_the_next_entry_is_no_fault(size: int) -> None:
    *lines, last = journal()
    found = verify([*lines, last[: min(size, len(last) - 1)]])
    assert sound(found)
    assert found.torn == min(size, len(last) - 1)
    assert "killed" in end_of(found, alive=False)
    assert "running" in end_of(found, alive=True)


@pytest.mark.parametrize("tail", [b"x", b'{"n":7,"at":1', b'{"n":8,"at":1.0,"prev":"123'])
def test_a_tail_that_is_not_of_the_next_entry_is_a_fault(tail: bytes) -> None:
    lines = journal()[:-1]
    assert sound(verify([*lines, b'{"n":8,"at":1']))
    assert not sound(verify([*lines, tail]))


def test_a_cut_off_end_shows_by_the_hash_that_was_kept_elsewhere() -> None:
    lines = journal()
    kept = verify(lines).last_hash
    assert verify(lines, {kept[:12]: "was expected"}).expected_at == {kept[:12]: 8}
    cut = verify(lines[:-2], {kept: "was expected"})
    (fault,) = told(cut)
    assert fault.startswith(f"the whole: no entry has the hash {kept[:12]}, which was expected: it was cut")
    assert sound(verify(lines[:-2]))
    assert "--expect" in end_of(verify(lines[:-2]), alive=False)
