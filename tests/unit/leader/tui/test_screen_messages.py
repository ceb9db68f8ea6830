"""What the client is told when a person presses keys."""

import asyncio

import pytest

from swarm.leader import registry
from swarm.leader.core.fake_client import FakeClient
from swarm.leader.core.views import WorkerPhase
from swarm.leader.errors import JournalError
from swarm.leader.tui.deck import GRACE
from swarm.leader.tui.stage import Stage
from swarm.permissions.model import Behavior, Layer, Mode, Offer

SIZES = pytest.mark.parametrize("size", [(80, 24), (200, 60)])
OFFER = Offer(Behavior.ALLOW, "Bash(npm run build:*)")


@SIZES
async def test_y_allows_what_is_shown_once_and_shows_the_next(stage: Stage, size: tuple[int, int]) -> None:
    first = stage.client.ask("fixer", "Bash", {"command": "make one"})
    stage.client.ask("tests", "Bash", {"command": "make two"})
    async with stage.run(*size):
        await stage.shows("make one")
        await stage.press("y")
        await stage.shows("make two")
        [answer] = stage.client.answers
        assert (answer.request_id, answer.digest, answer.verb) == (first.id, first.digest, "allow_once")
        assert "make one" not in stage.text()


async def test_a_key_within_the_grace_does_nothing(stage: Stage) -> None:
    async with stage.run(80, 24):
        stage.client.ask("fixer", "Bash", {"command": "make one"})
        await stage.shows("make one")
        stage.now += GRACE / 2
        await stage.pilot.press("y", "n")
        assert stage.client.answers == []
        await stage.press("n")
        await stage.until(lambda: stage.client.answers)
        assert stage.client.answers[0].verb == "deny"


async def test_always_shows_rule_and_file_and_writes_on_enter(stage: Stage) -> None:
    stage.client.ask("fixer", "Bash", {"command": "npm run build"}, offers=(OFFER,))
    async with stage.run(80, 24):
        await stage.press("a")
        screen = await stage.shows("allow Bash(npm run build:*)")
        assert "›.swarm/settings.local.json" in screen
        assert stage.client.answers == []
        await stage.press("right")
        await stage.shows("›.swarm/settings.json")
        await stage.press("enter")
        await stage.until(lambda: stage.client.answers)
        [answer] = stage.client.answers
        assert (answer.verb, answer.offers, answer.layer) == ("allow_always", (OFFER,), Layer.PROJECT)


async def test_escape_leaves_always_without_an_answer(stage: Stage) -> None:
    stage.client.ask("fixer", "Bash", {"command": "npm run build"}, offers=(OFFER,))
    async with stage.run(80, 24):
        await stage.press("a", "escape")
        await stage.shows("$ npm run build")
        assert stage.client.answers == []


async def test_always_without_an_offer_says_why(stage: Stage) -> None:
    stage.client.ask("fixer", "Bash", {"command": "sudo ls"})
    async with stage.run(80, 24):
        await stage.press("a")
        await stage.shows("can only be allowed once")


async def test_a_denial_can_carry_a_message_and_its_letters_are_no_keys(stage: Stage) -> None:
    stage.client.ask("fixer", "Bash", {"command": "make"})
    async with stage.run(80, 24):
        await stage.press("m", *"nay y?", "enter")
        await stage.until(lambda: stage.client.answers)
        [answer] = stage.client.answers
        assert (answer.verb, answer.message) == ("deny", "nay y?")


async def test_a_request_withdrawn_while_it_is_read_takes_no_answer(stage: Stage) -> None:
    first = stage.client.ask("fixer", "Bash", {"command": "make one"})
    stage.client.ask("tests", "Bash", {"command": "make two"})
    async with stage.run(80, 24):
        await stage.shows("make one")
        stage.client.change_team(ended={first.id: "withdrawn: the turn was cut off"})
        stage.client.resolve(first.id)
        screen = await stage.shows("answer: Tab shows the next")
        assert "make one" in screen
        assert "no longer wants it: the turn was cut off." in screen
        await stage.press("y", "n", "m", "a")
        assert stage.client.answers == []
        await stage.press("tab")
        await stage.shows("make two")


async def test_a_new_request_leaves_the_card_alone(stage: Stage) -> None:
    stage.client.ask("fixer", "Bash", {"command": "make one"})
    async with stage.run(80, 24):
        await stage.shows("1 of 1")
        stage.client.ask("tests", "Bash", {"command": "make two"})
        assert "make one" in await stage.shows("1 of 2")


async def test_a_failure_to_write_is_said_and_the_request_stays(stage: Stage) -> None:
    stage.client.ask("fixer", "Bash", {"command": "make one"})
    stage.client.failure = JournalError("/s/journal.jsonl", "no space is left")
    async with stage.run(80, 24):
        await stage.press("y")
        assert "make one" in await stage.shows("no space is left")
        await stage.press("y")
        await stage.until(lambda: stage.client.answers)


async def test_an_answer_that_was_decided_meanwhile_is_said_calmly(stage: Stage) -> None:
    first = stage.client.ask("fixer", "Bash", {"command": "make one"})
    stage.client.before_answer = asyncio.Event()
    async with stage.run(80, 24):
        await stage.press("y")
        stage.client.resolve(first.id, "denied")
        stage.client.before_answer.set()
        await stage.shows("was already denied")
        assert stage.client.answers == []


async def test_s_asks_before_it_stops_the_chosen_worker(stage: Stage) -> None:
    async with stage.run(80, 24):
        await stage.press("j", "s")
        await stage.shows("everything it started?")
        await stage.press("escape", "s", "enter")
        await stage.until(lambda: stage.client.stops)
        assert stage.client.stops == ["survey"]


async def test_ctrl_c_stops_in_order_and_a_second_one_at_once(stage: Stage) -> None:
    async with stage.run(80, 24):
        await stage.press("ctrl+c")
        await stage.shows("stopping: Ctrl-C again to end at once")
        assert (stage.client.stops, stage.client.stopped_now) == ([None], 0)
        await stage.press("ctrl+c")
        await stage.until(lambda: stage.app.return_code is not None)
        assert stage.client.stopped_now == 1


async def test_q_asks_before_it_stops_a_team_at_work(stage: Stage) -> None:
    stage.client.ask("tests", "Bash", {"command": "make"})
    async with stage.run(80, 24):
        await stage.press("q")
        await stage.shows("Stop the whole team? 4 of 4 are not done yet, 1 of their calls")
        await stage.press("escape")
        await stage.until(lambda: "Stop the whole team?" not in stage.text())
        await stage.press("ctrl+q", "escape")
        assert (stage.client.stops, stage.client.answers) == ([], [])


@pytest.mark.parametrize("key", ["q", "y", "enter"])
async def test_one_more_key_stops_a_team_at_work(stage: Stage, key: str) -> None:
    stage.client.ask("tests", "Bash", {"command": "make"})
    async with stage.run(80, 24):
        await stage.press("q", "ctrl+q", key)
        await stage.shows("stopping: Ctrl-C again to end at once")
        assert (stage.client.stops, stage.client.answers) == ([None], [])


@pytest.mark.parametrize("keys", [("q", "q", "q"), ("q", "y"), ("q", "enter")])
async def test_a_key_that_is_held_down_or_pasted_text_stops_no_team(
    stage: Stage, keys: tuple[str, ...]
) -> None:
    async with stage.run(80, 24):
        await stage.pilot.press(*keys)
        assert "Stop the whole team?" in stage.text()
        assert stage.client.stops == []


async def test_a_run_that_ends_while_its_stop_is_asked_about_is_left(stage: Stage) -> None:
    async with stage.run(80, 24):
        await stage.press("q")
        stage.client.change_team(exit_code=0)
        await stage.press("q")
        await stage.until(lambda: stage.app.return_code is not None)
        assert stage.client.stops == []


async def test_other_keys_than_enter_stop_no_worker(stage: Stage) -> None:
    async with stage.run(80, 24):
        await stage.press("s", "y")
        await stage.shows("everything it started?")
        await stage.press("q")
        await stage.until(lambda: "everything it started?" not in stage.text())
        assert stage.client.stops == []


@pytest.mark.parametrize("key", ["q", "ctrl+q", "ctrl+c"])
async def test_a_screen_on_a_run_that_is_led_elsewhere_is_left_by_a_key_and_stops_nothing(
    stage: Stage, key: str
) -> None:
    async with stage.run(200, 60, visiting=True):
        assert "q leave" in await stage.shows("led elsewhere")
        await stage.press("question_mark")
        await stage.shows("leave it: the run is led elsewhere and goes on")
        await stage.press("escape", key)
        await stage.until(lambda: stage.app.return_code is not None)
        assert (stage.client.stops, stage.client.stopped_now) == ([], 0)


async def test_ctrl_c_is_not_asked_about_even_where_q_is(stage: Stage) -> None:
    async with stage.run(80, 24):
        await stage.press("q", "ctrl+c")
        await stage.shows("stopping: Ctrl-C again to end at once")
        assert "Stop the whole team?" not in stage.text()
        assert (stage.client.stops, stage.client.stopped_now) == ([None], 0)


async def test_after_an_ordered_stop_the_screen_closes_with_the_run(stage: Stage) -> None:
    async with stage.run(80, 24):
        await stage.press("q", "q", "q")
        assert stage.client.stops == [None]
        stage.client.change_team(exit_code=130)
        await stage.until(lambda: stage.app.return_code is not None)


@pytest.mark.parametrize("key", ["q", "enter", "ctrl+c"])
async def test_a_run_that_ended_is_left_by_a_key(stage: Stage, key: str) -> None:
    async with stage.run(80, 24):
        stage.client.change_team(exit_code=0)
        await stage.shows("ended, exit 0: all workers succeeded")
        assert stage.app.return_code is None
        await stage.press(key)
        await stage.until(lambda: stage.app.return_code is not None)
        assert stage.client.stops == []


async def test_the_screen_takes_part_in_the_registry_for_its_lifetime(stage: Stage) -> None:
    other = FakeClient()
    other.add_worker("fixer")
    elsewhere = other.ask("fixer", "Bash", {"command": "make elsewhere"})
    async with stage.run(80, 24):
        setter, context = registry.get_confirm_queue(), registry.get_permission_context()
        assert setter is not None
        assert context is not None
        setter(lambda queue: (*queue, elsewhere))
        await stage.shows("make elsewhere")
        context((), Mode.PLAN)
        await stage.shows("plan")
        context((), Mode.DEFAULT, preserve_mode=True)
        assert "plan" in await stage.shows("make elsewhere")
    assert registry.get_confirm_queue() is None
    assert registry.get_permission_context() is None


async def test_a_failure_of_the_screen_reaches_the_caller(stage: Stage) -> None:
    class Broken(Exception):
        pass

    def fail(worker: str) -> None:
        raise Broken

    async def break_it() -> None:
        async with stage.run(80, 24):
            stage.client.transcript = fail  # type: ignore[method-assign, assignment] # breaks on purpose
            await stage.press("j")
            await stage.until(lambda: stage.app.return_code is not None)

    with pytest.raises(Broken):
        await break_it()


async def test_an_ended_worker_is_not_asked_to_stop(stage: Stage) -> None:
    stage.client.change_worker("tests", phase=WorkerPhase.SUCCEEDED)
    async with stage.run(80, 24):
        await stage.press("4", "s")
        assert "everything it started?" not in stage.text()
