"""Later attempts of a script: they go on behind what has ended, and repeat nothing unasked."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from support.lives import Scene, living
from swarm.ipc.call_log import CallBegan, CallEnded
from swarm.ipc.messages import ChatMessage, PermissionRequest, Result, Text
from swarm.worker.past import INTERRUPTED

STEPS: list[dict[str, Any]] = [
    {"say": "hello"},
    {"bash": "one", "id": "first"},
    {"message": {"to": "*", "text": "one is done"}},
    {"bash": "two"},
    {"bash": "last"},
]


@pytest.fixture
def session(tmp_path: Path) -> Path:
    folder = tmp_path / "session"
    (folder / "workers" / "w").mkdir(parents=True)
    return folder


async def attempted(scene: Scene, session: Path, attempt: int, **fields: Any) -> Result:
    """Run the steps in one attempt and give the result."""
    scene.leader.is_allowing = True
    await scene.leader.start(*STEPS, session=str(session), attempt=attempt, **fields)
    return await scene.leader.end()


def cut_off_after(session: Path, text: str) -> None:
    """Leave the journal as it was when the first line with `text` had been written, and torn behind it."""
    path = session / "workers" / "w" / "calls.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    last = next(place for place, line in enumerate(lines) if text in line)
    path.write_text("".join(lines[: last + 1]) + '{"type":"began","ca')


def noted(session: Path, *entries: CallBegan | CallEnded) -> None:
    path = session / "workers" / "w" / "calls.jsonl"
    path.write_bytes(b"".join(msgspec.json.encode(entry) + b"\n" for entry in entries))


async def test_steps_that_have_ended_are_not_taken_again_and_their_outputs_stand(
    tmp_path: Path, session: Path
) -> None:
    async with living(tmp_path) as scene:
        await attempted(scene, session, 1)
    cut_off_after(session, "ran two")
    async with living(tmp_path) as scene:
        agent = {"steps": STEPS, "result": "${steps.first.output}, ${steps.first.outcome}"}
        result = await attempted(scene, session, 2, agent=agent)
        assert (result.status, result.text) == ("succeeded", "ran one, succeeded")
        assert scene.leader.all(ChatMessage) == []
        assert [text.text for text in scene.leader.all(Text)][1:3] == [
            "Done in an attempt before this one: first\n",
            "Done in an attempt before this one: step 3\n",
        ]
    assert scene.tool.ran == ["last"]


async def test_an_attempt_of_which_all_has_ended_gives_the_same_result(
    tmp_path: Path, session: Path
) -> None:
    async with living(tmp_path) as scene:
        first = await attempted(scene, session, 1)
    async with living(tmp_path) as scene:
        second = await attempted(scene, session, 2)
    assert (second.status, second.text) == (first.status, first.text) == ("succeeded", "ran last")
    assert scene.tool.ran == []


async def test_a_step_that_was_interrupted_is_asked_again_and_said_to_be(
    tmp_path: Path, session: Path
) -> None:
    async with living(tmp_path) as scene:
        await attempted(scene, session, 1)
    cut_off_after(session, "one is done")
    noted_so_far = (session / "workers" / "w" / "calls.jsonl").read_text()
    (session / "workers" / "w" / "calls.jsonl").write_text(
        noted_so_far + '\n{"type":"began","call":"call-2","attempt":1,"step":"4","tool":"Bash"}\n'
    )
    async with living(tmp_path) as scene:
        await attempted(scene, session, 2)
        again, last = scene.leader.all(PermissionRequest)
        assert (again.input["command"], again.interrupted, again.preview.note) == ("two", True, INTERRUPTED)
        assert (last.input["command"], last.interrupted, last.preview.note) == ("last", False, "")
    assert scene.tool.ran == ["two", "last"]


async def test_a_third_attempt_still_knows_what_the_first_has_begun(tmp_path: Path, session: Path) -> None:
    noted(session, CallBegan(call="call-1", attempt=1, tool="Bash", step="2"))
    async with living(tmp_path) as scene:
        await scene.leader.start(*STEPS, session=str(session), attempt=2)
        await scene.leader.first(PermissionRequest)
    async with living(tmp_path) as scene:
        await attempted(scene, session, 3)
        assert [asked.interrupted for asked in scene.leader.all(PermissionRequest)] == [True, False, False]


@pytest.mark.parametrize("outcome", ["failed", "succeeded"])
async def test_a_step_that_has_failed_is_taken_again_without_a_mark(
    tmp_path: Path, session: Path, outcome: Any
) -> None:
    noted(
        session,
        CallBegan(call="call-1", attempt=1, tool="Bash", step="2"),
        CallEnded(call="call-1", attempt=1, outcome=outcome, step="2"),
    )
    async with living(tmp_path) as scene:
        await attempted(scene, session, 2)
        assert not any(asked.interrupted for asked in scene.leader.all(PermissionRequest))
    assert ("one" in scene.tool.ran) is (outcome == "failed")


async def test_a_first_attempt_takes_every_step_whatever_lies_there(tmp_path: Path, session: Path) -> None:
    noted(session, CallBegan(call="call-1", attempt=1, tool="Bash", step="2"))
    async with living(tmp_path) as scene:
        await attempted(scene, session, 1)
        assert not any(asked.interrupted for asked in scene.leader.all(PermissionRequest))
    assert scene.tool.ran == ["one", "two", "last"]


async def test_without_its_journal_a_later_attempt_runs_nothing(tmp_path: Path, session: Path) -> None:
    (session / "workers" / "w" / "calls.jsonl").symlink_to("/dev/zero")
    async with living(tmp_path) as scene:
        result = await attempted(scene, session, 2)
        assert result.status == "failed"
        assert "cannot be read whole" in result.text
    assert scene.tool.ran == []
