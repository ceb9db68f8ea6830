"""What 'always' and a changed input do, and when they are refused."""

from dataclasses import replace
from pathlib import Path

import pytest

from support.approving import FakeAsker, allowing, house, request
from support.waiting import until
from swarm.leader.errors import (
    EditRefused,
    NothingChosen,
    OfferRefused,
)
from swarm.leader.session.entries import (
    RuleGranted,
)
from swarm.permissions.errors import SettingsError
from swarm.permissions.model import Behavior, Layer, Offer, Reason, Source


async def test_always_writes_the_rule_and_answers_the_others_that_it_covers(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        first, second = FakeAsker("first"), FakeAsker("second")
        home.approvals.asked(first, request("make"))
        home.approvals.asked(second, request("make"))
        view, _ = await home.shown(2)
        await home.approvals.answer(replace(allowing(view), verb="allow_always", offers=view.offers))
        await until(lambda: len(second.responses) == 1)
        assert first.responses[0].reason == Reason.INTERACTIVE_ALLOW_ALWAYS
        assert second.responses[0].reason == Reason.SETTINGS_ALLOW
        assert [rule.text for rule in home.judge.granted] == ["make"]
        assert any(isinstance(entry, RuleGranted) for entry in home.written())


async def test_always_without_a_rule_or_with_one_that_was_not_offered_decides_nothing(
    tmp_path: Path,
) -> None:
    async with house(tmp_path) as home:
        asker = FakeAsker()
        home.approvals.asked(asker, request("make"))
        (view,) = await home.shown()
        always = replace(allowing(view), verb="allow_always")
        with pytest.raises(NothingChosen):
            await home.approvals.answer(always)
        with pytest.raises(OfferRefused):
            await home.approvals.answer(replace(always, offers=(Offer(Behavior.ALLOW, "Bash"),)))
        with pytest.raises(OfferRefused):
            await home.approvals.answer(replace(always, offers=view.offers, layer=Layer.MANAGED))
        assert asker.responses == []
        assert home.approvals.queue == (view,)


async def test_a_rule_that_cannot_be_written_leaves_the_request_waiting(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        asker = FakeAsker()
        home.approvals.asked(asker, request("make"))
        (view,) = await home.shown()
        home.judge.failure = SettingsError(Source(Layer.LOCAL, "settings.json"), "is broken", "Mend it.")
        with pytest.raises(SettingsError):
            await home.approvals.answer(replace(allowing(view), verb="allow_always", offers=view.offers))
        assert asker.responses == []
        assert home.approvals.queue == (view,)


async def test_a_changed_input_that_a_rule_denies_is_refused(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        asker = FakeAsker()
        home.approvals.asked(asker, request("make"))
        (view,) = await home.shown()
        with pytest.raises(EditRefused):
            await home.approvals.answer(replace(allowing(view), updated_input={"command": "bad"}))
        await home.approvals.answer(replace(allowing(view), updated_input={"command": "make -n"}))
        assert asker.responses[0].updated_input == {"command": "make -n"}
