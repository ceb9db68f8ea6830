"""What a reader remembers: enough to refuse what was handled, and no more than fits."""

import pytest

from swarm.ipc.mailbox import ledger as module
from swarm.ipc.mailbox.ledger import Ledger, run_key
from swarm.ipc.mailbox.letters import Place

KEY = b"k" * 32


def place(number: int, *, run: int = 1, at: int | None = None) -> Place:
    return Place(number if at is None else at, number, f"{run:016x}", "worker-a")


def test_a_letter_and_all_before_it_of_its_run_count_as_handled() -> None:
    ledger = Ledger("leader")
    ledger.note(place(5))
    assert [ledger.has(place(number)) for number in (1, 5, 6)] == [True, True, False]
    assert not ledger.has(place(1, run=2))
    assert (ledger.reached(run_key(place(1))), ledger.reached(run_key(place(1, run=2)))) == (5, 0)


def test_noting_an_earlier_letter_changes_nothing() -> None:
    ledger = Ledger("leader")
    ledger.note(place(5))
    ledger.note(place(3))
    assert ledger.reached(run_key(place(1))) == 5


def test_a_record_comes_back_and_only_for_its_owner() -> None:
    ledger = Ledger("leader")
    ledger.note(place(5))
    data = ledger.encode(KEY)
    assert Ledger.decode(KEY, data, "leader").has(place(5))
    with pytest.raises(ValueError, match="another's"):
        Ledger.decode(KEY, data, "worker-a")


def test_a_record_that_was_changed_is_refused() -> None:
    data = Ledger("leader").encode(KEY)
    for position in range(len(data)):
        changed = bytearray(data)
        changed[position] ^= 1
        with pytest.raises(ValueError, match="signature"):
            Ledger.decode(KEY, bytes(changed), "leader")


def test_runs_beyond_the_cap_are_remembered_by_their_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "RUNS", 2)
    ledger = Ledger("leader")
    for run in range(1, 5):
        ledger.note(place(1, run=run, at=run * 100))
    ledger.trim()
    assert [ledger.has(place(1, run=run, at=run * 100)) for run in range(1, 6)] == [True] * 4 + [False]
    assert ledger.has(place(2, run=9, at=200))
    assert not ledger.has(place(2, run=9, at=201))
