"""Grants as another shell sees them: limits, previews, the list, taking back."""

import json
from pathlib import Path

import pytest
from unit.leader.cli.program import Swarm, running

from swarm.leader.core.fake_client import FakeClient
from swarm.leader.core.views import GrantView, OfferPreview
from swarm.leader.plan.resolved import TeamPlan
from swarm.leader.session.entries import RuleGranted, RuleRevoked, SessionStarted
from swarm.leader.session.folder import create_session
from swarm.permissions.model import Behavior, Layer, Offer

OFFER = Offer(Behavior.ALLOW, "Bash(make:*)")
TIMED = GrantView(
    2, "Bash(make:*)", Behavior.ALLOW, Layer.WORKER, "tests", "person", 1000.0, expires=2800.0, uses=3
)


async def test_a_grant_is_made_with_limits_and_says_what_it_lets_through(
    client: FakeClient, swarm: Swarm
) -> None:
    client.ask("tests", "Bash", {"command": "make"}, offers=(OFFER,))
    client.previews[OFFER.text] = OfferPreview(3, 1, ("r4",), 20)
    async with running(client, swarm) as (session, shell):
        pending, listed = await shell("pending"), await shell("pending", "--json")
        ran = await shell(
            *("approve", "r1", "--session", session.id, "--always", "--layer", "worker"),
            *("--minutes", "30", "--uses", "5"),
        )
    told = "alone it would let through 3 of the last 20 calls (1 of them denied), and now r4"
    assert f"Bash(make:*): {told}" in pending.out
    assert json.loads(listed.out)["previews"]["Bash(make:*)"]["denied"] == 1
    assert f"Written to worker: allow Bash(make:*) ({told})" in ran.err
    (answer,) = client.answers
    assert (answer.layer, answer.minutes, answer.uses) == (Layer.WORKER, 30.0, 5)


async def test_grants_are_listed_and_taken_back(client: FakeClient, swarm: Swarm) -> None:
    client.granted.append(TIMED)
    async with running(client, swarm) as (_, shell):
        listed, as_json = await shell("rules", "grants"), await shell("rules", "grants", "--json")
        wrong, ran = await shell("rules", "revoke", "7"), await shell("rules", "revoke", "2")
        empty = await shell("rules", "grants")
    assert "2  allow Bash(make:*)  for tests  worker  until 19" in listed.out
    assert "3 more calls" in listed.out
    assert json.loads(as_json.out)["expires"] == 2800.0
    assert wrong.code == 2
    assert "No grant 7" in wrong.err
    assert (ran.code, client.granted) == (0, [])
    assert "No rule" in empty.err


def test_what_an_ended_session_wrote_to_a_file_can_still_be_taken_back(
    swarm: Swarm, tmp_path: Path
) -> None:
    file = tmp_path / ".swarm" / "settings.local.json"
    file.parent.mkdir()
    file.write_text('{"permissions": {"allow": ["Bash(make:*)", "Bash(ls:*)"]}}')
    plan = TeamPlan("old", tmp_path / "plan.yaml", ())
    with create_session(plan, "swarm test") as session:
        session.journal.append(
            SessionStarted(session_id=session.id, name="old", plan_file=str(plan.file), pid=1, program="s")
        )
        for number, rule in enumerate(("Bash(make:*)", "Bash(ls:*)"), 1):
            session.journal.append(
                RuleGranted(rule=rule, layer=Layer.LOCAL, file=str(file), number=number, by="person")
            )
        session.journal.append(RuleGranted(rule="Bash(id)", layer=Layer.SESSION, number=3))
        session.journal.append(RuleRevoked(number=2, rule="Bash(ls:*)", layer=Layer.LOCAL))
    listed = swarm("rules", "grants", session.id)
    assert [line.split()[0] for line in listed.out.splitlines()] == ["1"]
    gone, ran = [swarm("rules", "revoke", number, "--session", session.id) for number in "31"]
    assert (gone.code, ran.code) == (2, 0)
    assert "make" not in file.read_text()
    assert "Bash(ls:*)" in file.read_text()


@pytest.mark.parametrize("option", [("--minutes", "x"), ("--uses", "1.5")])
def test_limits_that_are_no_numbers_are_a_usage_error(swarm: Swarm, option: tuple[str, str]) -> None:
    assert (swarm("approve", "r1", "--always", *option)).code == 2
