"""A worker's life over a channel in memory, from its hello to its end."""

from pathlib import Path
from typing import Any

import anyio
import msgspec
import pytest

from support.lives import living
from swarm.ipc.messages import (
    Answer,
    Cancel,
    ChatMessage,
    Error,
    Heartbeat,
    Hello,
    Log,
    PermissionRequest,
    PermissionWithdrawn,
    Ping,
    Result,
    RulesChanged,
    SetMode,
    Shutdown,
    Start,
    ToolEnded,
)


async def test_a_worker_says_hello_works_and_gives_one_result(tmp_path: Path) -> None:
    async with living(tmp_path) as scene:
        scene.leader.is_allowing = True
        await scene.leader.start({"bash": "make"}, env={"MARK": "1"})
        assert await scene.leader.end() == msgspec.structs.replace(
            scene.leader.all(Result)[0], status="succeeded", text="ran make", refused=()
        )
        hello = scene.leader.all(Hello)[0]
        assert hello.protocols == (1,)
    assert scene.sent == [True]
    assert scene.tool.env["MARK"] == "1"
    assert "PATH" in scene.tool.env


async def test_a_denied_step_fails_the_worker_and_names_the_request(tmp_path: Path) -> None:
    async with living(tmp_path) as scene:
        await scene.leader.start({"bash": "make"}, {"bash": "never"})
        request = await scene.leader.first(PermissionRequest)
        scene.leader.answer(request, allow=False, message="not today")
        result = await scene.leader.end()
        assert (result.status, result.refused) == ("failed", (request.id,))
        assert "not today" in result.text
    assert scene.tool.ran == []


async def test_a_waiting_call_blocks_neither_heartbeat_nor_ping_nor_cancel(tmp_path: Path) -> None:
    async with living(tmp_path) as scene:
        await scene.leader.start({"bash": "make"}, heartbeat=0.02)
        request = await scene.leader.first(PermissionRequest)
        await scene.leader.until(lambda: len(scene.leader.all(Heartbeat)) >= 3)
        scene.leader.channel.send(Cancel(why="enough"))
        result = await scene.leader.end()
        assert (result.status, result.text) == ("cancelled", "enough")
        assert [gone.request_id for gone in scene.leader.all(PermissionWithdrawn)] == [request.id]
        assert scene.leader.all(ToolEnded)[0].outcome == "interrupted"
    assert scene.tool.ran == []


async def test_a_ping_is_answered_with_a_heartbeat_at_once(tmp_path: Path) -> None:
    async with living(tmp_path) as scene:
        await scene.leader.start({"bash": "wait"}, heartbeat=1_000.0)
        await scene.leader.first(PermissionRequest)
        scene.leader.channel.send(Ping())
        await scene.leader.first(Heartbeat)


async def test_cancel_ends_the_tool_that_runs(tmp_path: Path) -> None:
    async with living(tmp_path) as scene:
        scene.leader.is_allowing = True
        await scene.leader.start({"bash": "wait"}, {"bash": "never"})
        await scene.leader.first(PermissionRequest)
        await scene.leader.until(lambda: scene.tool.ran or scene.leader.channel.send(Ping()))
        scene.leader.channel.send(Cancel(why="enough"))
        assert (await scene.leader.end()).status == "cancelled"
    assert scene.tool.cancelled == ["wait"]
    assert scene.tool.ran == ["wait"]


async def test_the_end_of_the_channel_while_asking_runs_nothing(tmp_path: Path) -> None:
    async with living(tmp_path) as scene:
        await scene.leader.start({"bash": "make", "continue_on_error": True}, {"bash": "also"})
        await scene.leader.first(PermissionRequest)
        await scene.leader.channel.aclose()
    assert scene.sent == [False]
    assert scene.tool.ran == []


async def test_the_end_of_the_channel_before_the_start_ends_the_worker(tmp_path: Path) -> None:
    async with living(tmp_path) as scene:
        await scene.leader.first(Hello)
        await scene.leader.channel.aclose()
    assert scene.sent == [False]


async def test_a_shutdown_before_the_start_ends_the_worker(tmp_path: Path) -> None:
    async with living(tmp_path) as scene:
        await scene.leader.first(Hello)
        scene.leader.channel.send(Shutdown(why="not needed", grace=1.0))
        await scene.leader.until(lambda: scene.leader.why_closed)
    assert scene.leader.all(Result) == []


async def test_a_shutdown_gives_the_result_within_its_grace(tmp_path: Path) -> None:
    async with living(tmp_path) as scene:
        await scene.leader.start({"bash": "wait"})
        await scene.leader.first(PermissionRequest)
        scene.leader.channel.send(Shutdown(why="the run ends", grace=5.0))
        result = await scene.leader.end()
        assert (result.status, result.text) == ("cancelled", "the run ends")
    assert scene.forced == []


async def test_a_tool_that_will_not_end_is_ended_by_force_within_the_grace(tmp_path: Path) -> None:
    async with living(tmp_path) as scene:
        scene.leader.is_allowing = True
        await scene.leader.start({"bash": "stubborn"})
        await scene.leader.until(lambda: scene.tool.ran or scene.leader.channel.send(Ping()))
        scene.leader.channel.send(Shutdown(why="the run ends", grace=0.05))
        await scene.leader.until(lambda: scene.forced or scene.leader.channel.send(Ping()))
        scene.tool.release.set()
        await scene.leader.end()


async def test_unknown_messages_are_answered_and_harm_nothing(tmp_path: Path) -> None:
    async with living(tmp_path) as scene:
        scene.leader.is_allowing = True
        await scene.leader.first(Hello)
        scene.leader.channel._writer.write(b'{"type":"dance","id":"x1"}\nrubbish\n')
        error = await scene.leader.first(Error)
        assert (error.code, error.about) == ("unknown_type", "x1")
        await scene.leader.first(Log)
        await scene.leader.start({"bash": "make"})
        assert (await scene.leader.end()).status == "succeeded"


async def test_a_second_start_is_refused(tmp_path: Path) -> None:
    async with living(tmp_path) as scene:
        await scene.leader.start({"bash": "make"})
        request = await scene.leader.first(PermissionRequest)
        line = (
            b'{"type":"start","id":"s2","protocol":1,"worker":"x","kind":"script","agent":{},"cwd":"/"}\n'
        )
        scene.leader.channel._writer.write(line)
        assert (await scene.leader.first(Error)).about == "s2"
        scene.leader.answer(request)
        assert (await scene.leader.end()).text == "ran make"


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"kind": "wizard"}, "no agent of kind 'wizard'"),
        ({"cwd": "/nonexistent/folder"}, "'/nonexistent/folder' is not there"),
        ({"agent": {"steps": [{}]}}, "Step 1 needs exactly one of"),
        ({"agent": {"steps": [{"bash": 'echo "${tasks.a.result}"'}]}}, "inside quotes"),
        ({"agent": {"steps": [{"say": "${tasks.other.result}"}]}}, "add it to `needs`"),
    ],
)
async def test_a_start_that_cannot_hold_gives_a_clear_failed_result(
    tmp_path: Path, fields: dict[str, Any], said: str
) -> None:
    async with living(tmp_path) as scene:
        await scene.leader.first(Hello)
        start = {
            "protocol": 1,
            "worker": "w",
            "kind": "script",
            "agent": {},
            "cwd": str(scene.leader.cwd),
            **fields,
        }
        scene.leader.channel.send(Start(**start))
        result = await scene.leader.end()
        assert result.status == "failed"
        assert said in result.text
        assert "Traceback" not in result.text
    assert scene.sent == [True]


async def test_messages_for_a_script_are_logged(tmp_path: Path) -> None:
    async with living(tmp_path) as scene:
        await scene.leader.start({"bash": "make"})
        request = await scene.leader.first(PermissionRequest)
        scene.leader.channel.send(ChatMessage(text="how are you", sender="tester"))
        await scene.leader.until(lambda: any("how are you" in log.text for log in scene.leader.all(Log)))
        scene.leader.answer(request)
        await scene.leader.end()


async def test_messages_that_concern_no_one_harm_nothing(tmp_path: Path) -> None:
    async with living(tmp_path) as scene:
        await scene.leader.start({"bash": "make"})
        request = await scene.leader.first(PermissionRequest)
        for message in (SetMode(mode="plan"), RulesChanged(version="1"), Answer(question_id="none")):
            scene.leader.channel.send(message)
        scene.leader.answer(request)
        assert (await scene.leader.end()).status == "succeeded"


async def test_a_request_that_the_leader_cannot_use_is_not_waited_for(tmp_path: Path) -> None:
    async with living(tmp_path) as scene:
        await scene.leader.start({"bash": "make"})
        request = await scene.leader.first(PermissionRequest)
        scene.leader.channel.send(Error(code="invalid", text="too strange", about=request.id))
        result = await scene.leader.end()
        assert result.status == "failed"
        assert "too strange" in result.text
    assert scene.tool.ran == []


async def test_a_result_reaches_a_leader_that_does_not_read_for_a_while(tmp_path: Path) -> None:
    async with living(tmp_path) as scene:
        await scene.leader.start(
            {"say": "x" * 400_000}, agent={"steps": [{"say": "x" * 400_000}], "result": "y" * 70_000}
        )
        scene.leader.channel.pause_reading()
        await anyio.sleep(0.7)  # longer than a closing channel waits for its other end
        scene.leader.channel.resume_reading()
        result = await scene.leader.end()
        assert result.status == "succeeded"
        assert result.text.endswith("more bytes were cut.")
        assert len(result.text) < 66_000
