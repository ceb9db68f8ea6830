"""Grants for a session: each counts for whom it was made, once, until it is taken back."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from swarm.permissions.grants import Grant, GrantLimits, Grants, grant_of, needed
from swarm.permissions.model import Behavior, Layer, Offer, RuleText, Source

OFFER = Offer(Behavior.ALLOW, "Bash(make:*)")


def grant(worker: str = "", at: float = 1.0) -> Grant:
    return grant_of(OFFER, worker, "ada", at, "/p")


def test_a_grant_tells_who_made_it_and_when() -> None:
    assert grant("tests") == Grant(
        RuleText(Behavior.ALLOW, "Bash(make:*)", Source(Layer.WORKER, base="/p")), "tests", "ada", 1.0
    )
    assert grant().rule.source.layer is Layer.SESSION


def test_a_workers_grant_is_its_own_and_the_teams_is_everybodys() -> None:
    grants = Grants().with_grant(grant("tests")).with_grant(grant())
    assert grants.rules_for("tests") == (grant("tests").rule, grant().rule)
    assert grants.rules_for("other") == (grant().rule,)


def test_the_same_grant_again_changes_nothing() -> None:
    once = Grants().with_grant(grant())
    assert once.with_grant(grant(at=9.0)) is once
    assert [known.at for known in once] == [1.0]


def test_a_grant_can_be_taken_back() -> None:
    grants = Grants().with_grant(grant("tests")).with_grant(grant())
    assert grants.without_rule(grant().rule).rules_for("other") == ()
    assert len(grants.without_rule(grant("tests").rule, "tests")) == 1
    assert len(grants) == 2


def test_a_grant_with_limits_takes_the_place_of_the_same_rules_and_ends_by_itself() -> None:
    counted = replace(grant(), uses=2, number=1)
    timed = grant_of(OFFER, "", "ada", 60.0, "/p", GrantLimits(minutes=0.5))
    grants = Grants().with_grant(counted).with_grant(timed)
    assert grants.entries == (timed,)
    assert [timed.end(at) for at in (60.0, 89.9, 90.0)] == ["", "", "expired"]
    assert len(grants.without_ended(89.9)) == 1
    assert len(grants.without_ended(90.0)) == 0


def test_uses_are_counted_down_and_a_used_up_grant_has_ended() -> None:
    grants = Grants().with_grant(replace(grant(), uses=2, number=1)).with_grant(grant("tests"))
    assert grants.counted_for("tests") == (1,)
    once = grants.after_use(frozenset({1}))
    assert [known.uses for known in once] == [1, None]
    assert [known.end(0) for known in once.after_use(frozenset({1}))] == ["used up", ""]
    assert grants.rules_for("tests", frozenset({1})) == (grant("tests").rule,)


@given(st.sets(st.integers(0, 5)), st.lists(st.sets(st.integers(0, 5)), max_size=4))
def test_exactly_grants_that_are_enough_and_none_too_many_are_used(
    counted: set[int], ways: list[set[int]]
) -> None:
    """`ways` are the sets of grants each of which would do."""

    def allows(without: frozenset[int]) -> bool:
        return any(not way & without and way <= counted for way in ways)

    used = needed(tuple(counted), allows)
    if allows(frozenset()):
        assert allows(frozenset(counted) - used)
        assert not any(allows(frozenset(counted) - used | {number}) for number in used)
