"""Each call is noted before its tool begins and after it has ended; what cannot be noted does not run."""

import errno
import os
import stat
from pathlib import Path

import pytest

from support.gating import Scene
from swarm.ipc.call_log import CallRecord, call_log_of, read_calls
from swarm.ipc.messages import Start
from swarm.worker.call_journal import OUTPUTS_CAP, CallJournal, journal_for
from swarm.worker.errors import NotNoted


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "calls.jsonl"


def only_record(path: Path) -> CallRecord:
    (record,) = read_calls(path).calls
    return record


def content(path: Path) -> str:
    return path.read_text() if path.exists() else ""


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def spoiled(path: Path, how: str) -> Path:
    match how:
        case "folder":
            path.mkdir()
        case "missing":
            return path.parent / "none" / path.name
        case "link":
            path.symlink_to(path.parent / "elsewhere")
        case _:
            os.mkfifo(path)
    return path


async def test_a_call_is_noted_before_it_runs_and_after_it_ended(path: Path) -> None:
    seen: list[CallRecord] = []
    scene = Scene(journal=CallJournal(str(path), attempt=2))
    scene.tool.on_run = lambda: seen.append(only_record(path))
    outcome = await scene.call({"text": "hi"}, step="4")
    assert outcome.outcome == "succeeded"
    assert [record.ended for record in seen] == [None]
    record = only_record(path)
    assert record.ended
    assert (record.began.tool, record.began.attempt, record.began.step) == ("Echo", 2, "4")
    assert (record.ended.outcome, record.ended.output, record.ended.step) == ("succeeded", "hi", "4")
    assert mode(path) == 0o600


async def test_a_call_without_a_step_leaves_its_output_out(path: Path) -> None:
    await Scene(journal=CallJournal(str(path))).call({"text": "secret"})
    assert "secret" not in content(path)


async def test_a_call_that_was_not_allowed_leaves_no_line(path: Path) -> None:
    scene = Scene(decision=RuntimeError("no"), journal=CallJournal(str(path)))
    assert (await scene.call({"text": "hi"})).outcome == "denied"
    assert content(path) == ""


@pytest.mark.parametrize("spoil", ["folder", "missing", "link", "pipe"])
async def test_a_call_that_cannot_be_noted_does_not_run(path: Path, spoil: str) -> None:
    path = spoiled(path, spoil)
    scene = Scene(journal=CallJournal(str(path)))
    outcome = await scene.call({"text": "hi"})
    assert outcome.outcome == "failed"
    assert "was not run" in outcome.output
    assert str(path) in outcome.output
    assert scene.tool.ran == []
    assert content(path.parent / "elsewhere") == ""


async def test_a_full_disk_lets_nothing_run_and_says_so(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, room = os.write, [40]

    def write(descriptor: int, data: bytes) -> int:
        if not room[0]:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written = real(descriptor, data[: room[0]])
        room[0] -= written
        return written

    scene = Scene(journal=CallJournal(str(path)))
    monkeypatch.setattr(os, "write", write)
    for _ in range(2):
        outcome = await scene.call({"text": "hi"})
        assert (outcome.outcome, "No space left" in outcome.output) == ("failed", True)
    room[0] = 10_000
    assert (await scene.call({"text": "hi"})).outcome == "succeeded"
    monkeypatch.undo()
    assert [text for text, _ in scene.tool.ran] == ["hi"]
    assert only_record(path).began.call == "call-3"


async def test_the_end_that_cannot_be_noted_is_said_in_the_log(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = Scene(journal=CallJournal(str(path)))

    def fail(descriptor: int, data: bytes) -> int:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    scene.tool.on_run = lambda: monkeypatch.setattr(os, "write", fail)
    assert (await scene.call({"text": "hi"})).outcome == "succeeded"
    monkeypatch.undo()
    assert only_record(path).ended is None
    assert any("could not be noted" in getattr(message, "text", "") for message in scene.channel.sent)


def test_a_line_that_an_earlier_attempt_has_torn_spoils_no_other(path: Path) -> None:
    path.write_bytes(b'{"type":"began","call":"call-1","att')
    CallJournal(str(path), attempt=2).begin("call-1", "Echo")
    assert only_record(path).began.attempt == 2


def test_outputs_are_bounded_in_a_line_and_in_all(path: Path) -> None:
    journal = CallJournal(str(path))
    for number in range(400):
        journal.note(str(number), "x" * 100_000)
    journal.close()
    outputs = [record.ended.output for record in read_calls(path).calls if record.ended]
    assert len(outputs) == 400
    assert outputs[0].endswith("more bytes were cut.")
    assert outputs[-1] == "… The output was not kept."
    assert path.stat().st_size < OUTPUTS_CAP + 200_000


def test_without_a_session_nothing_is_noted(tmp_path: Path) -> None:
    start = Start(protocol=1, worker="w", kind="script", agent={}, cwd="/")
    journal = journal_for(start)
    journal.begin("call-1", "Echo")
    journal.end("call-1", "succeeded")
    journal.close()
    assert not journal.is_kept


def test_the_error_says_where_and_what_to_do() -> None:
    text = str(NotNoted("/s/calls.jsonl", OSError(errno.ENOSPC, "No space left on device")))
    assert text.startswith("The call was not run, since it could not be noted in /s/calls.jsonl: No space")
    assert call_log_of("/s", "w").name == "calls.jsonl"
