"""Grants in a running session: limits, the last use, taking back, and what an offer would let through."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from support.approving import FakeAsker, allowing, house, request
from support.leading import leading, script
from support.waiting import until
from swarm.leader.core.leader import RunOptions
from swarm.leader.core.past import PAST_LIMIT, SIZE_LIMIT, TEXT_LIMIT, PastCalls
from swarm.leader.core.views import AnswerToRequest, RequestView
from swarm.leader.errors import LimitsRefused, OfferRefused, UnknownGrant, UnknownRequest
from swarm.leader.session.entries import RequestDecided, RuleExpired, RuleGranted, RuleRevoked
from swarm.permissions.model import Layer, Reason, Request

WAITS = RunOptions(person=False)


def always(view: RequestView, **changes: Any) -> AnswerToRequest:
    fields: dict[str, Any] = {
        "verb": "allow_always",
        "offers": view.offers,
        "layer": Layer.SESSION,
        **changes,
    }
    return replace(allowing(view), **fields)


@pytest.mark.parametrize(
    "changes",
    [
        {"layer": Layer.LOCAL, "minutes": 5.0},
        {"layer": Layer.USER, "uses": 1},
        {"minutes": 0.0},
        {"minutes": float("nan")},
        {"minutes": float("inf")},
        {"uses": 0},
        {"verb": "allow_once", "uses": 3},
        {"verb": "deny", "minutes": 3.0},
    ],
)
async def test_limits_that_cannot_be_kept_are_refused_and_nothing_is_decided(
    tmp_path: Path, changes: dict[str, Any]
) -> None:
    async with house(tmp_path) as home:
        asker = FakeAsker()
        home.approvals.asked(asker, request("make"))
        (view,) = await home.shown()
        with pytest.raises(LimitsRefused):
            await home.approvals.answer(always(view, **changes))
        assert asker.responses == []
        assert home.judge.granted == []


async def test_of_two_waiting_calls_only_one_gets_the_last_use(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        askers = [FakeAsker(name) for name in ("a", "b", "c")]
        for asker in askers:
            home.approvals.asked(asker, request("make"))
        view, *_ = await home.shown(3)
        await home.approvals.answer(always(view, uses=1))
        await until(lambda: sum(len(asker.responses) for asker in askers) == 2)
        (left,) = await home.shown(1)
        assert left.worker in "bc"
        (granted,) = [entry for entry in home.written() if isinstance(entry, RuleGranted)]
        assert (granted.uses, granted.number, granted.by) == (1, 1, "person")


async def test_a_grant_allows_so_many_calls_and_its_end_is_written(tmp_path: Path) -> None:
    steps = [{"bash": f"git init d{number}"} for number in range(4)]
    async with leading(tmp_path, script("w", tmp_path, *steps), options=WAITS) as led:
        (view,) = await led.asked()
        await led.leader.answer(AnswerToRequest(view.id, view.digest, "allow_once"))
        await until(lambda: any(found.id == "r2" for found in led.leader.team().queue))
        (view,) = led.leader.team().queue
        assert [offer.text for offer in view.offers] == ["Bash(git init:*)"]
        preview = await led.leader.preview(view.id, "Bash(git init:*)")
        assert (preview.matched, preview.denied, preview.pending, preview.looked_at) == (1, 0, (), 1)
        with pytest.raises(OfferRefused):
            await led.leader.preview(view.id, "Bash")
        with pytest.raises(UnknownRequest):
            await led.leader.preview("r9", "Bash")
        await led.leader.answer(always(view, uses=1, layer=Layer.WORKER))
        await until(lambda: any(found.id == "r3" for found in led.leader.team().queue))
        assert led.leader.grants() == ()
        (view,) = led.leader.team().queue
        await led.leader.answer(AnswerToRequest(view.id, view.digest, "allow_once"))
        assert await led.end() == 0
    ended = [entry for entry in led.written() if isinstance(entry, RuleExpired)]
    assert [(entry.number, entry.how, entry.layer) for entry in ended] == [(1, "used up", Layer.WORKER)]


async def test_what_was_denied_warns_of_an_offer_and_a_revoked_grant_asks_again(tmp_path: Path) -> None:
    steps = [{"bash": f"git init d{number}", "continue_on_error": True} for number in range(3)]
    other = script("other", tmp_path, {"bash": "git init third"})
    async with leading(tmp_path, script("w", tmp_path, *steps), other, options=WAITS) as led:
        views = await led.asked(2)
        mine = next(view for view in views if view.worker == "w")
        theirs = next(view for view in views if view.worker == "other")
        await led.leader.answer(AnswerToRequest(mine.id, mine.digest, "deny"))
        await until(lambda: any(v.worker == "w" and v.id != mine.id for v in led.leader.team().queue))
        mine = next(view for view in led.leader.team().queue if view.worker == "w")
        preview = await led.leader.preview(mine.id, mine.offers[0].text)
        assert (preview.matched, preview.denied, preview.pending) == (1, 1, (theirs.id,))
        await led.leader.answer(always(mine, minutes=5.0, layer=Layer.WORKER))
        await until(lambda: led.phase("w").ended)
        (grant,) = led.leader.grants()
        assert (grant.worker, grant.layer, grant.by) == ("w", Layer.WORKER, "person")
        assert grant.expires == pytest.approx(grant.at + 300)
        with pytest.raises(UnknownGrant):
            await led.leader.revoke(7)
        assert await led.leader.revoke(1) == grant
        assert led.leader.grants() == ()
        await led.leader.answer(AnswerToRequest(theirs.id, theirs.digest, "allow_once"))
        await led.end()
    assert any(isinstance(entry, RuleRevoked) and entry.number == 1 for entry in led.written())


async def test_a_waiting_call_that_a_grant_covers_is_settled_by_it_with_the_rule_written(
    tmp_path: Path,
) -> None:
    workers = [script(name, tmp_path, {"bash": f"git init {name}"}) for name in ("a", "b")]
    async with leading(tmp_path, *workers, options=WAITS) as led:
        view, _ = await led.asked(2)
        await led.leader.answer(always(view))
        assert await led.end() == 0
    decided = {entry.reason: entry for entry in led.written() if isinstance(entry, RequestDecided)}
    by_rule = decided[Reason.SETTINGS_ALLOW]
    assert (by_rule.rule, by_rule.rule_source) == ("Bash(git init:*)", "session")
    assert "Bash(git init:*)" in by_rule.why


def test_past_calls_are_bounded_in_number_and_size() -> None:
    past = PastCalls()
    for number in range(PAST_LIMIT + 5):
        past.remember("w", Request("Bash", {"command": str(number)}, "/w"), denied=False)
    calls = past.snapshot()
    assert (len(calls), calls[0].request.input["command"]) == (PAST_LIMIT, "5")
    for _ in range(PAST_LIMIT):
        past.remember("w", Request("Write", {"content": "x" * 10**5, "edits": [{}]}, "/w"), denied=True)
    calls = past.snapshot()
    assert sum(call.size for call in calls) <= SIZE_LIMIT
    assert calls[-1].request.input == {"content": "x" * TEXT_LIMIT}
