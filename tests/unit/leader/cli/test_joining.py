"""What a screen that was opened on a running session leaves behind when it is left."""

import os
import signal

import anyio
import pytest
from unit.leader.cli.program import Swarm, running

from swarm.leader.cli.joining import look_at
from swarm.leader.core.client import Client
from swarm.leader.core.fake_client import FakeClient
from swarm.leader.session.entries import SessionEnded
from swarm.leader.session.stored import find_session


async def test_leaving_the_screen_says_how_to_come_back_and_stops_nothing(
    client: FakeClient, swarm: Swarm, capsys: pytest.CaptureFixture[str]
) -> None:
    async def leave(far: Client) -> None:
        assert [worker.name for worker in far.team().workers] == ["tests", "fixer"]

    async with running(client, swarm) as (session, _):
        assert await look_at(find_session(session.id), leave) == 0
        assert (
            f"{session.id} goes on; to see it again: swarm resume {session.id}" in capsys.readouterr().err
        )
    assert client.stops == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
async def test_a_signal_ends_the_screen_and_not_the_run(
    client: FakeClient, swarm: Swarm, number: signal.Signals
) -> None:
    async def stay(far: Client) -> None:
        os.kill(os.getpid(), number)
        await anyio.sleep_forever()

    async with running(client, swarm) as (session, _):
        assert await look_at(find_session(session.id), stay) == 0
    assert (client.stops, client.stopped_now) == ([], 0)


async def test_a_run_that_ended_is_summed_up(
    client: FakeClient, swarm: Swarm, capsys: pytest.CaptureFixture[str]
) -> None:
    async def watch_the_end(far: Client) -> None:
        client.change_team(exit_code=3)
        while far.team().exit_code is None:
            await anyio.sleep(0.001)

    async with running(client, swarm) as (session, _):
        assert await look_at(find_session(session.id), watch_the_end) == 3
    assert "Exit 3: a needed call was denied" in capsys.readouterr().out


@pytest.mark.parametrize(("written", "code"), [(True, 1), (False, None)])
async def test_how_a_run_ended_is_read_from_its_journal_once_its_leader_is_gone(
    client: FakeClient, swarm: Swarm, capsys: pytest.CaptureFixture[str], written: bool, code: int | None
) -> None:
    over, seen = anyio.Event(), anyio.Event()

    async def wait_for_the_end(far: Client) -> None:
        seen.set()
        while far.team().exit_code is None and not far.team().notices:
            await anyio.sleep(0.001)
        assert far.team().exit_code == code

    async def lead(*, task_status: anyio.abc.TaskStatus[str]) -> None:
        async with running(client, swarm) as (session, _):
            task_status.started(session.id)
            await seen.wait()
            if written:
                session.journal.append(SessionEnded(exit_code=1))
        over.set()

    async with anyio.create_task_group() as group:
        name = await group.start(lead)
        assert await look_at(find_session(name), wait_for_the_end) == (code or 0)
    captured = capsys.readouterr()
    assert ("Exit 1" in captured.out) is written
    assert ("was interrupted; to go on: swarm resume" in captured.err) is not written
