"""The journal of a worker's calls, as anybody reads it."""

import os
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from swarm.ipc.call_log import CallBegan, CallEnded, CallHistory, CallRecord, call_log_of, read_calls

BEGAN = CallBegan(call="call-1", attempt=1, request="w-2", tool="Bash", digest="00", step="1")
ENDED = CallEnded(call="call-1", attempt=1, request="w-2", outcome="succeeded", output="done", step="1")
LATER = CallBegan(call="call-1", attempt=2, request="x-2", tool="Bash", step="2")


def written(path: Path, *lines: object, tail: bytes = b"") -> Path:
    path.write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in lines) + tail)
    return path


def test_a_call_that_began_and_ended_is_one_record(tmp_path: Path) -> None:
    history = read_calls(written(tmp_path / "calls.jsonl", BEGAN, ENDED))
    assert history.calls == (CallRecord(BEGAN, ENDED),)
    assert history.of_request("w-2") == CallRecord(BEGAN, ENDED)
    assert history.of_request("w-3") is None


def test_a_call_without_an_end_was_interrupted(tmp_path: Path) -> None:
    history = read_calls(written(tmp_path / "calls.jsonl", BEGAN))
    assert history.calls == (CallRecord(BEGAN),)


def test_calls_of_two_attempts_are_not_mixed_up(tmp_path: Path) -> None:
    history = read_calls(written(tmp_path / "calls.jsonl", BEGAN, LATER, ENDED))
    assert history.calls == (CallRecord(BEGAN, ENDED), CallRecord(LATER))


def test_a_torn_tail_and_rubbish_are_passed_over(tmp_path: Path) -> None:
    rubbish = b'{"type":"began","call":7}\n\xff\n\n[' + b"[" * 5000 + b"\n"
    path = tmp_path / "calls.jsonl"
    path.write_bytes(rubbish + msgspec.json.encode(BEGAN) + b"\n" + msgspec.json.encode(ENDED)[:-9])
    assert read_calls(path).calls == (CallRecord(BEGAN),)


def test_an_end_without_a_beginning_is_no_call(tmp_path: Path) -> None:
    assert read_calls(written(tmp_path / "calls.jsonl", ENDED)) == CallHistory()


def test_a_journal_that_is_not_there_is_empty_and_whole(tmp_path: Path) -> None:
    assert read_calls(tmp_path / "calls.jsonl") == CallHistory()


def test_what_is_no_plain_file_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(written(tmp_path / "calls.jsonl", BEGAN))
    os.mkfifo(tmp_path / "pipe")
    for name in ("link", "pipe", "."):
        assert read_calls(tmp_path / name) == CallHistory(is_whole=False)


def test_only_the_end_of_a_long_journal_is_read(tmp_path: Path) -> None:
    path = written(tmp_path / "calls.jsonl", BEGAN, ENDED, LATER)
    history = read_calls(path, cap=len(msgspec.json.encode(LATER)) + 20)
    assert history.calls == (CallRecord(LATER),)
    assert not history.is_whole


@given(cut=st.integers(0, 400))
@settings(max_examples=60)
def test_any_torn_tail_leaves_what_was_whole(tmp_path_factory: pytest.TempPathFactory, cut: int) -> None:
    data = b"".join(msgspec.json.encode(line) + b"\n" for line in (BEGAN, ENDED, LATER))
    path = tmp_path_factory.mktemp("torn") / "calls.jsonl"
    path.write_bytes(data[:cut])
    whole = data[:cut].count(b"}")
    assert len(read_calls(path).calls) == (0, 1, 1, 2)[whole]


def test_the_journal_lies_in_the_workers_folder() -> None:
    assert call_log_of("/s/one", "tests") == Path("/s/one/workers/tests/calls.jsonl")
