"""Rules that were granted under another leader of the session: in force again, but for what was counted."""

from pathlib import Path

from swarm.leader.granted import GrantBook, grant_left
from swarm.leader.session.entries import RuleGranted
from swarm.permissions.grants import GrantLimits, grant_of
from swarm.permissions.model import Behavior, Layer, Offer

BASE = "/project"


def granted(number: int, **fields: object) -> RuleGranted:
    known = {"rule": f"Bash(x{number}:*)", "layer": Layer.SESSION, "worker": "a", "by": "person", **fields}
    return RuleGranted(number=number, **known)  # type: ignore[arg-type]  # each is one of its fields


def restored(*entries: RuleGranted, now: float = 50.0, count: int = 9) -> GrantBook:
    book = GrantBook(lambda: now)
    book.restore((grant_left(entry, 5.0, BASE) for entry in entries), count)
    return book


def texts(book: GrantBook, worker: str) -> list[str]:
    return [rule.text for rule in book.in_force.rules_for(worker)]


def test_a_rule_of_the_session_holds_for_all_and_one_of_a_worker_for_it_alone() -> None:
    book = restored(granted(1), granted(2, layer=Layer.WORKER))
    assert texts(book, "a") == ["Bash(x1:*)", "Bash(x2:*)"]
    assert texts(book, "b") == ["Bash(x1:*)"]


def test_it_is_the_same_rule_as_before_and_keeps_its_number() -> None:
    before = grant_of(Offer(Behavior.ALLOW, "Bash(x1:*)"), "", "person", 5.0, BASE, GrantLimits(minutes=1))
    (after,) = restored(granted(1, expires=65.0)).in_force
    assert (after.rule, after.worker, after.expires, after.at) == (before.rule, "", before.expires, 5.0)
    assert after.number == 1


def test_the_next_grant_gets_a_number_that_none_had() -> None:
    book = restored(granted(1))
    made = book.add(grant_of(Offer(Behavior.ALLOW, "Bash(y:*)"), "", "person", 5.0, BASE))
    assert made.number == 10


def test_what_has_run_out_meanwhile_or_was_counted_is_in_force_no_more_and_that_is_told() -> None:
    book = restored(granted(1, expires=49.0), granted(2, uses=5))
    assert texts(book, "a") == []
    assert [(ended.grant.number, ended.how) for ended in book.take_ended()] == [
        (1, "expired"),
        (2, "used up"),
    ]


def test_a_rule_in_a_file_counts_by_its_file_alone() -> None:
    book = restored(granted(1, layer=Layer.LOCAL, file=str(Path("/project/.swarm/settings.local.json"))))
    assert (texts(book, "a"), len(book.in_force)) == ([], 1)
