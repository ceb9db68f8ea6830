"""Beside each rule that "always" offers stands what it would let through."""

import asyncio

import pytest

from swarm.leader.core.fake_client import FakeClient
from swarm.leader.core.views import OfferPreview
from swarm.leader.tui.stage import Stage
from swarm.permissions.model import Behavior, Layer, Offer

OFFER = Offer(Behavior.ALLOW, "Bash(make:*)")


class SlowClient(FakeClient):
    """Tells what an offer would let through once `ready` is set."""

    def __init__(self, stage: Stage) -> None:
        super().__init__(clock=stage.clock)
        self.ready = asyncio.Event()
        self.add_worker("fixer")

    async def preview(self, request_id: str, offer_text: str) -> OfferPreview:
        await self.ready.wait()
        return await super().preview(request_id, offer_text)


async def test_a_rule_is_written_for_the_worker_before_its_effect_is_known(stage: Stage) -> None:
    stage.client = SlowClient(stage)
    stage.client.ask("fixer", "Bash", {"command": "make"}, offers=(OFFER,))
    async with stage.run(80, 24):
        await stage.press("a", "left", "left")
        await stage.shows("›this worker only")
        await stage.press("enter")
        await stage.until(lambda: stage.client.answers)
        assert stage.client.answers[0].layer is Layer.WORKER


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
async def test_the_effect_and_every_place_are_in_sight(stage: Stage, size: tuple[int, int]) -> None:
    client = stage.client = SlowClient(stage)
    client.previews[OFFER.text] = OfferPreview(3, 1, ("r2",), 40)
    client.ask("fixer", "Bash", {"command": "make"}, offers=(OFFER,))
    async with stage.run(*size):
        await stage.press("a")
        assert "let through" not in await stage.shows("      …")
        client.ready.set()
        screen = await stage.shows("let through 3 of the last 40 calls (1 of them")
        for place in ("this worker only", "this session", "settings.local.json", "~/.config/swarm"):
            assert place in screen
        assert "›.swarm/settings.local.json" in screen


async def test_a_late_effect_of_another_request_is_dropped(stage: Stage) -> None:
    client = stage.client = SlowClient(stage)
    client.previews[OFFER.text] = OfferPreview(3, 0, (), 40)
    client.ask("fixer", "Bash", {"command": "make one"}, offers=(OFFER,))
    client.ask("fixer", "Bash", {"command": "make two"})
    async with stage.run(80, 24):
        await stage.press("a")
        await stage.shows("      …")
        await stage.press("escape", "tab")
        await stage.shows("$ make two")
        client.ready.set()
        await stage.until(lambda: not stage.app.workers)
        assert "let through" not in stage.text()
        assert "$ make two" in stage.text()


async def test_an_effect_that_cannot_be_known_is_shown_as_nothing(stage: Stage) -> None:
    client = stage.client = SlowClient(stage)
    request = client.ask("fixer", "Bash", {"command": "make"}, offers=(OFFER,))
    async with stage.run(80, 24):
        await stage.press("a")
        await stage.shows("      …")
        client.ended[request.id] = "decided"  # the card does not know it yet
        client.ready.set()
        await stage.until(lambda: "      …" not in stage.text())
        assert "let through" not in stage.text()
        assert "allow Bash(make:*)" in stage.text()
        assert "decided" not in stage.text()


async def test_a_place_chosen_out_of_sight_is_scrolled_to(stage: Stage) -> None:
    offers = tuple(Offer(Behavior.ALLOW, f"Bash(make {n}:*)") for n in range(6))
    stage.client.ask("fixer", "Bash", {"command": "make"}, offers=offers)
    async with stage.run(80, 24):
        await stage.press("a")
        assert "›" not in await stage.shows("more lines below: PgDn")
        await stage.press("right")
        await stage.shows("›.swarm/settings.json")
