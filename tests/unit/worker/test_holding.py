"""A worker whose leader is gone: it begins nothing, waits, and goes on under the next."""

from pathlib import Path
from typing import Any

import pytest

from support.successions import Succession, succession
from support.waiting import until
from swarm.ipc.messages import (
    Event,
    Hello,
    Log,
    PermissionRequest,
    Ping,
    Result,
    Shutdown,
    Text,
    ToolEnded,
)


@pytest.fixture
def session(tmp_path: Path) -> Path:
    """A session's folder with this worker's in it."""
    folder = tmp_path / "session"
    (folder / "workers" / "w").mkdir(parents=True)
    return folder


async def asked(scene: Succession, session: Path, *steps: Any, **fields: Any) -> PermissionRequest:
    """Start the worker and wait for its first request."""
    await scene.leader.start(*steps, session=str(session), **fields)
    return await scene.leader.first(PermissionRequest)


async def test_a_request_that_waits_is_asked_again_by_its_id_and_runs_once(
    tmp_path: Path, session: Path
) -> None:
    async with succession(tmp_path) as scene:
        request = await asked(scene, session, {"bash": "make"})
        await scene.kill()
        leader = await scene.succeed()
        assert leader.all(Hello)[0].worker == "w"
        assert leader.all(Hello)[0].attempt == 1
        assert leader.all(PermissionRequest) == []
        scene.adopt()
        assert (await leader.first(PermissionRequest)).id == request.id
        leader.answer(request)
        leader.answer(request)
        assert (await leader.end()).text == "ran make"
    assert scene.tool.ran == ["make"]
    assert scene.sent == [True]


async def test_a_call_made_while_it_holds_is_asked_after_the_adoption(
    tmp_path: Path, session: Path
) -> None:
    async with succession(tmp_path) as scene:
        request = await asked(scene, session, {"bash": "stubborn"}, {"bash": "make"})
        scene.leader.answer(request)
        await until(lambda: scene.tool.ran)
        await scene.kill()
        scene.tool.release.set()
        leader = await scene.succeed(is_allowing=True)
        await until(lambda: "outcome" in (session / "workers/w/calls.jsonl").read_text())
        assert leader.all(PermissionRequest) == []
        scene.adopt()
        assert (await leader.end()).status == "succeeded"
        assert [end.outcome for end in leader.all(ToolEnded)] == ["succeeded", "succeeded"]
        assert [asked.input["command"] for asked in leader.all(PermissionRequest)] == ["make"]
    assert scene.tool.ran == ["stubborn", "make"]


async def test_an_approved_call_that_has_not_begun_waits_for_the_next_leader(
    tmp_path: Path, session: Path
) -> None:
    async with succession(tmp_path) as scene:
        request = await asked(scene, session, {"bash": "make"})
        scene.runtime.hold("its leader dies with its answer under way")
        scene.leader.answer(request)
        await until(lambda: not scene.runtime._strategy.waiting)
        await scene.kill()
        leader = await scene.succeed()
        assert scene.tool.ran == []
        scene.adopt()
        assert (await leader.end()).text == "ran make"
        assert leader.all(PermissionRequest) == []
    assert scene.tool.ran == ["make"]


async def test_a_result_that_was_not_taken_is_given_to_the_next_leader(
    tmp_path: Path, session: Path
) -> None:
    async with succession(tmp_path) as scene:
        request = await asked(scene, session, {"bash": "make"})
        scene.leader.channel.pause_reading()
        scene.leader.answer(request)
        await until(lambda: scene.tool.ran)
        await scene.kill()
        leader = await scene.adopted()
        result = await leader.end()
        assert (result.status, result.text) == ("succeeded", "ran make")
    assert scene.sent == [True]


async def test_without_another_leader_it_ends_after_its_grace_and_runs_nothing(
    tmp_path: Path, session: Path
) -> None:
    async with succession(tmp_path) as scene:
        await asked(scene, session, {"bash": "make"}, hold=0.05)
        await scene.kill()
        await until(lambda: scene.sent)
    assert scene.sent == [False]
    assert scene.tool.ran == []


async def test_a_signal_while_it_holds_ends_it_at_once(tmp_path: Path, session: Path) -> None:
    async with succession(tmp_path) as scene:
        request = await asked(scene, session, {"bash": "wait"})
        scene.leader.answer(request)
        await until(lambda: scene.tool.ran)
        await scene.kill()
        scene.runtime.terminate("SIGTERM")
        await until(lambda: scene.sent)
    assert scene.sent == [False]
    assert scene.tool.cancelled == ["wait"]


async def test_a_signal_ends_it_also_while_its_result_waits(tmp_path: Path, session: Path) -> None:
    async with succession(tmp_path) as scene:
        request = await asked(scene, session, {"bash": "stubborn"})
        scene.leader.answer(request)
        await until(lambda: scene.tool.ran)
        await scene.kill()
        scene.tool.release.set()
        await until(lambda: "outcome" in (session / "workers/w/calls.jsonl").read_text())
        scene.runtime.terminate("SIGTERM")
        await until(lambda: scene.sent)
    assert scene.sent == [False]


async def test_a_worker_that_was_told_to_shut_down_waits_for_nobody(tmp_path: Path, session: Path) -> None:
    async with succession(tmp_path) as scene:
        request = await asked(scene, session, {"bash": "stubborn"})
        scene.leader.answer(request)
        await until(lambda: scene.tool.ran)
        scene.leader.channel.send(Shutdown(why="the run ends", grace=60.0))
        await until(lambda: scene.runtime._stopped)
        scene.leader.channel.abandon("gone")
        scene.tool.release.set()
        await until(lambda: scene.sent)
    assert scene.sent == [False]
    assert scene.ways.opened == 0


async def test_without_a_session_it_ends_with_its_leader(tmp_path: Path) -> None:
    async with succession(tmp_path) as scene:
        await scene.leader.start({"bash": "make"})
        await scene.leader.first(PermissionRequest)
        await scene.kill()
        await until(lambda: scene.sent)
    assert scene.sent == [False]
    assert scene.ways.opened == 0


async def test_a_second_crash_is_survived_as_the_first_one(tmp_path: Path, session: Path) -> None:
    async with succession(tmp_path) as scene:
        request = await asked(scene, session, {"bash": "make"}, {"bash": "more"})
        await scene.kill()
        leader = await scene.adopted()
        await leader.first(PermissionRequest)
        await scene.kill()
        leader = await scene.adopted(is_allowing=True)
        assert (await leader.first(PermissionRequest)).id == request.id
        assert (await leader.end()).text == "ran more"
    assert scene.tool.ran == ["make", "more"]


async def test_a_leader_that_dies_without_a_word_is_missed_by_its_lock(
    tmp_path: Path, session: Path
) -> None:
    async with succession(tmp_path) as scene:
        request = await asked(scene, session, {"bash": "make"})
        await scene.kill()
        await (await scene.adopted()).first(PermissionRequest)
        scene.throne.mark = None  # by mail nothing else tells of it
        await until(lambda: scene.runtime.is_held)
        leader = await scene.adopted(is_allowing=True)
        assert (await leader.first(PermissionRequest)).id == request.id
        assert (await leader.end()).text == "ran make"
    assert scene.tool.ran == ["make"]


async def test_word_of_a_leader_that_has_died_meanwhile_is_not_followed(
    tmp_path: Path, session: Path
) -> None:
    async with succession(tmp_path) as scene:
        request = await asked(scene, session, {"bash": "make"})
        await scene.kill()
        late = await scene.succeed()
        old = scene.throne.mark
        scene.throne.crown()
        assert old
        scene.adopt_as(old.pid)
        leader = await scene.adopted()
        assert (await leader.first(PermissionRequest)).id == request.id
        assert late.all(PermissionRequest) == []
        leader.answer(request)
        await leader.end()
    assert scene.tool.ran == ["make"]


async def test_what_was_said_while_it_held_is_told_and_bounded(tmp_path: Path, session: Path) -> None:
    async with succession(tmp_path) as scene:
        request = await asked(scene, session, {"bash": "flood"}, {"say": "after"})
        scene.tool.floods = (5, 400_000)
        scene.leader.answer(request)
        await until(lambda: scene.tool.ran)
        await scene.kill()
        scene.tool.release.set()
        await until(lambda: "outcome" in (session / "workers/w/calls.jsonl").read_text())
        leader = await scene.adopted()
        await leader.end()
        assert any("left out while there was no leader" in log.text for log in leader.all(Log))
        assert leader.all(Text)[-1].text == "after\n"
        assert (
            sum(
                len(message.event.text)
                for message in leader.got
                if isinstance(message, Event) and hasattr(message.event, "text")
            )
            < 1_100_000
        )


async def test_a_broken_way_is_tried_again_and_a_lost_session_ends_it(
    tmp_path: Path, session: Path
) -> None:
    async with succession(tmp_path) as scene:
        await asked(scene, session, {"bash": "make"})
        scene.ways.is_broken = True
        await scene.kill()
        await until(lambda: scene.runtime.is_held)
        scene.ways.is_broken = False
        await until(lambda: scene.ways.opened)
        scene.ways.is_gone = True
        await until(lambda: scene.sent)
    assert scene.sent == [False]
    assert scene.tool.ran == []


async def test_a_call_runs_under_the_first_leader_without_any_wait(tmp_path: Path, session: Path) -> None:
    async with succession(tmp_path) as scene:
        scene.leader.is_allowing = True
        await scene.leader.start({"bash": "make"}, session=str(session))
        scene.leader.channel.send(Ping())
        assert (await scene.leader.end()).text == "ran make"
        assert len(scene.leader.all(Result)) == 1
