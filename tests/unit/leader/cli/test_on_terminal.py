"""What becomes of a run when its screen is left, fails, or is ended by a signal."""

import io
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest

from swarm.leader.cli.on_terminal import run_on_terminal
from swarm.leader.core.client import Client
from swarm.leader.core.fake_client import FakeClient
from swarm.leader.errors import JournalError
from swarm.leader.plan.resolved import TeamPlan
from swarm.leader.session.entries import Noticed
from swarm.leader.session.folder import Session, create_session

PLAN = TeamPlan(name="checks", file=Path("/project/plan.yaml"), workers=())


class Led(FakeClient):
    """A session whose run ends when it is told to."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.end = anyio.Event()
        self.begun = anyio.Event()
        self.failure_of_run: Exception | None = None

    async def run(self) -> int:
        self.session.journal.append(Noticed(level="info", text="begun"))
        self.begun.set()
        await self.end.wait()
        if self.failure_of_run:
            raise self.failure_of_run
        self.session.journal.append(Noticed(level="info", text="later"))
        return 3

    async def stop(self, worker: str | None = None, why: str = "") -> None:
        await super().stop(worker, why)
        self.end.set()


@pytest.fixture
def led() -> Iterator[Led]:
    with create_session(PLAN, "swarm") as session:
        yield Led(session)


async def test_the_summary_is_printed_when_a_finished_run_is_left(
    led: Led, capsys: pytest.CaptureFixture[str]
) -> None:
    async def look(client: Client) -> None:
        led.end.set()
        await led.begun.wait()
        await anyio.wait_all_tasks_blocked()

    with anyio.fail_after(20):
        assert await run_on_terminal(led, led.session, PLAN, look) == 3
    assert "Exit 3: a needed call was denied" in capsys.readouterr().out


async def test_a_run_whose_screen_is_left_goes_on_and_tells_what_follows(
    led: Led, capsys: pytest.CaptureFixture[str]
) -> None:
    async def leave(client: Client) -> None:
        await led.begun.wait()

    async def end_later() -> None:
        await anyio.wait_all_tasks_blocked()
        led.end.set()

    with anyio.fail_after(20):
        async with anyio.create_task_group() as group:
            group.start_soon(end_later)
            assert await run_on_terminal(led, led.session, PLAN, leave) == 3
    captured = capsys.readouterr()
    assert "The run goes on without its screen" in captured.err
    assert "later" in captured.out
    assert "begun" not in captured.out
    assert "Exit 3" in captured.out


async def test_a_screen_that_fails_is_told_and_the_run_goes_on(
    led: Led, capsys: pytest.CaptureFixture[str], state: Path
) -> None:
    async def fail(client: Client) -> None:
        await led.begun.wait()
        led.end.set()
        raise RuntimeError("odd widget")

    with anyio.fail_after(20):
        assert await run_on_terminal(led, led.session, PLAN, fail) == 3
    captured = capsys.readouterr()
    assert "RuntimeError: odd widget" in captured.err
    assert len(list((state / "swarm" / "errors").iterdir())) == 1


async def test_a_signal_stops_the_run_and_closes_the_screen(
    led: Led, capsys: pytest.CaptureFixture[str]
) -> None:
    async def stay(client: Client) -> None:
        await led.begun.wait()
        os.kill(os.getpid(), signal.SIGHUP)
        await anyio.sleep_forever()

    with anyio.fail_after(20):
        assert await run_on_terminal(led, led.session, PLAN, stay) == 130
    assert led.stops == [None]
    assert "Exit 130" in capsys.readouterr().out


class SignallingStream(io.StringIO):
    """Sends this process a signal at the moment when it is told that the run goes on."""

    def write(self, text: str) -> int:
        if "goes on without its screen" in text:
            os.kill(os.getpid(), signal.SIGTERM)
        return super().write(text)


async def test_a_signal_between_the_screen_and_what_follows_it_stops_the_run_in_order(
    led: Led, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = SignallingStream()
    monkeypatch.setattr(sys, "stderr", stream)

    async def leave(client: Client) -> None:
        await led.begun.wait()

    with anyio.fail_after(20):
        assert await run_on_terminal(led, led.session, PLAN, leave) == 130
    assert led.stops == [None]
    assert "SIGTERM: stopping the team in good order" in stream.getvalue()


async def test_a_leader_that_fails_takes_its_screen_with_it(led: Led) -> None:
    led.failure_of_run = JournalError("/j", "full")

    async def stay(client: Client) -> None:
        led.end.set()
        await anyio.sleep_forever()

    with pytest.raises(ExceptionGroup) as caught, anyio.fail_after(20):
        await run_on_terminal(led, led.session, PLAN, stay)
    assert caught.group_contains(JournalError)
