"""Grants for a session: each counts for whom it was made, once, until it is taken back."""

from swarm.permissions.grants import Grant, Grants, grant_of
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
