"""How a screen in another process sees a session, acts on it, and takes the end of its leader."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import anyio
import pytest

from support.waiting import until
from swarm.leader.control import far_client
from swarm.leader.control.far_client import FarClient, reach_far
from swarm.leader.control.server import serve_control
from swarm.leader.core.fake_client import FakeClient
from swarm.leader.core.views import AnswerToRequest, RequestView
from swarm.leader.errors import AlreadyDecided, LeaderUnreachable, UnknownWorker
from swarm.leader.tui.app import SwarmApp
from swarm.leader.tui.deck import GRACE
from swarm.leader.tui.settings import TerminalSettings


@pytest.fixture
def path() -> Iterator[Path]:
    with TemporaryDirectory() as folder:
        yield Path(folder) / "control.sock"


@pytest.fixture
def client() -> FakeClient:
    made = FakeClient()
    made.add_worker("tests")
    made.add_worker("fixer")
    return made


@asynccontextmanager
async def seen_from_afar(client: FakeClient, path: Path) -> AsyncIterator[FarClient]:
    async with serve_control(client, path), reach_far("s1", path) as far:
        with anyio.fail_after(20):
            yield far


def allowing(request: RequestView) -> AnswerToRequest:
    return AnswerToRequest(request.id, request.digest, "allow_once")


async def test_the_picture_follows_the_team(client: FakeClient, path: Path) -> None:
    async with seen_from_afar(client, path) as far:
        assert far.team() == client.team()
        request = client.ask("tests", "Bash", {"command": "make"})
        await until(lambda: far.team().queue == (request,))
        await far.answer(allowing(request))
        await until(lambda: far.team().queue == ())
    assert [answer.request_id for answer in client.answers] == [request.id]


async def test_a_transcript_that_is_looked_at_follows_and_others_come_when_they_are(
    client: FakeClient, path: Path
) -> None:
    told: list[frozenset[str]] = []
    client.say("tests", "one ")
    client.say("fixer", "other ")
    async with seen_from_afar(client, path) as far:
        with far.subscribe(told.append):
            assert far.transcript("tests").entries == ()
            await until(lambda: frozenset({"tests"}) in told)
            client.say("tests", "two ")
            await until(lambda: far.transcript("tests").entries == client.transcript("tests").entries)
            assert frozenset({"fixer"}) not in told
            far.transcript("fixer")
            await until(lambda: far.transcript("fixer").entries == client.transcript("fixer").entries)
        with pytest.raises(UnknownWorker):
            far.transcript("fixr")


async def test_subscribers_are_told_once_of_all_that_comes_within_a_batch(
    client: FakeClient, path: Path
) -> None:
    told: list[frozenset[str]] = []
    far = FarClient("s1", path, client.team())
    with far.subscribe(told.append):
        for number in range(10):
            far.conclude(None, f"notice {number}")
        assert told == []
        await until(lambda: told)
    assert told == [frozenset()]
    assert len(far.team().notices) == 10


async def test_what_is_asked_for_reaches_the_leader(client: FakeClient, path: Path) -> None:
    async with seen_from_afar(client, path) as far:
        await far.stop("tests")
        await far.pause("fixer")
        await far.unpause()
        await far.send("fixer", "hurry")
        await far.stop_now()
    assert (client.stops, client.stopped_now, client.sent) == (["tests"], 1, [("fixer", "hurry")])
    assert client.pauses[0] == ("fixer", True)


async def test_of_two_screens_that_answer_one_request_the_second_is_told_so(
    client: FakeClient, path: Path
) -> None:
    request = client.ask("tests", "Bash", {"command": "make"})
    async with seen_from_afar(client, path) as one, reach_far("s1", path) as other:
        await one.answer(allowing(request))
        with pytest.raises(AlreadyDecided):
            await other.answer(allowing(request))
    assert len(client.answers) == 1


class Faltering(FakeClient):
    """A session whose first watcher is closed by a fault."""

    falters = True

    @contextmanager
    def subscribe(self, changed: Callable[[frozenset[str]], None]) -> Iterator[None]:
        if self.falters:
            self.falters = False
            raise RuntimeError("a fault")
        with super().subscribe(changed):
            yield


async def test_a_leader_that_closes_the_connection_but_lives_is_followed_again(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(far_client, "AGAIN_PAUSE", 0.01)
    client = Faltering()
    client.add_worker("tests")
    async with seen_from_afar(client, path) as far:
        await until(lambda: not client.falters)
        request = client.ask("tests", "Bash", {"command": "make"})
        await until(lambda: far.team().queue == (request,))
        assert not far.gone.is_set()


async def test_an_end_of_the_leader_is_noticed_and_answers_fail_closed(
    client: FakeClient, path: Path
) -> None:
    request = client.ask("tests", "Bash", {"command": "make"})
    served, over = anyio.Event(), anyio.Event()

    async def lead() -> None:
        async with serve_control(client, path):
            served.set()
            await over.wait()

    async with anyio.create_task_group() as group:
        group.start_soon(lead)
        await served.wait()
        async with reach_far("s1", path) as far:
            over.set()
            with anyio.fail_after(20):
                await far.gone.wait()
            with pytest.raises(LeaderUnreachable):
                await far.answer(allowing(request))
            far.conclude(None, "gone")
            assert (far.team().notices, far.team().queue) == (("gone",), (request,))
            far.conclude(3)
            assert (far.team().exit_code, far.team().queue) == (3, ())
    assert client.answers == []


async def test_a_leader_that_does_not_answer_is_said_to_be_suspended_perhaps(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(far_client, "FIRST_LIMIT", 0.05)
    async with await anyio.create_unix_listener(path):
        with pytest.raises(LeaderUnreachable, match="it may be suspended"):
            async with reach_far("s1", path):
                pass


async def test_the_screen_runs_on_it_and_leaving_stops_nothing(client: FakeClient, path: Path) -> None:
    now = 1000.0
    client.say("tests", "hello from the worker")
    client.ask("tests", "Bash", {"command": "make one"})

    async def shows(app: SwarmApp, text: str) -> None:
        await until(lambda: text in shown(app))

    async with seen_from_afar(client, path) as far:
        app = SwarmApp(far, TerminalSettings(monotonic=lambda: now, still=True, visiting=True))
        async with app.run_test(size=(100, 30)) as pilot:
            await shows(app, "make one")
            await shows(app, "hello from the worker")
            now += GRACE
            await pilot.press("y")
            await until(lambda: client.answers)
            await until(lambda: "make one" not in shown(app))
            await shows(app, "q leave")
            await pilot.press("q")
            await until(lambda: app.return_code is not None)
    assert client.stops == []


def shown(app: SwarmApp) -> str:
    strips = app.screen._compositor.render_strips()
    return "\n".join(strip.text for strip in strips)
