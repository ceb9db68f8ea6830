"""What a journal promises to those who write into it."""

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest

from swarm.ipc.messages import Text
from swarm.leader.errors import JournalError
from swarm.leader.session.entries import AnyEntry, Happened, Noticed, RequestDecided, SessionEnded
from swarm.leader.session.journal import STREAM_CAP, Disk, Journal
from swarm.leader.session.reading import read_journal
from swarm.permissions.model import Behavior, Reason


class Later:
    """Collects what is to be called later, and calls it when told."""

    def __init__(self) -> None:
        self.calls: list[tuple[float, Callable[[], None]]] = []

    def __call__(self, delay: float, callback: Callable[[], None]) -> object:
        self.calls.append((delay, callback))
        return None

    def run(self) -> None:
        calls, self.calls = self.calls, []
        for _, callback in calls:
            callback()


class FailingDisk:
    """A disk that can be told to write only a part, to fail, or to fail to sync."""

    def __init__(self) -> None:
        self.room: int | None = None
        self.sync_fails = False
        self.syncs = 0

    def write(self, descriptor: int, data: bytes) -> int:
        if self.room is None:
            return os.write(descriptor, data)
        if self.room == 0:
            raise OSError(28, "No space left on device")
        written = os.write(descriptor, data[: self.room])
        self.room -= written
        return written

    def sync(self, descriptor: int) -> None:
        self.syncs += 1
        if self.sync_fails:
            raise OSError(5, "Input/output error")
        os.fsync(descriptor)

    def disk(self) -> Disk:
        return Disk(write=self.write, sync=self.sync)


def notice(text: str) -> Noticed:
    return Noticed(level="info", text=text)


def happening(text: str) -> Happened:
    return Happened(worker="tests", event=Text(text=text))


def entries_in(path: Path) -> list[AnyEntry]:
    return [record.entry for record in read_journal(path)]


def test_an_entry_is_in_the_file_when_append_returns(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j", clock=lambda: 12.5)
    assert journal.append(notice("one")) == 1
    assert journal.append(notice("two")) == 2
    records = list(read_journal(tmp_path / "j"))
    assert [record.entry for record in records] == [notice("one"), notice("two")]
    assert [record.at for record in records] == [12.5, 12.5]
    journal.close()


def test_a_journal_is_private_and_never_written_over(tmp_path: Path) -> None:
    Journal(tmp_path / "j").close()
    assert (tmp_path / "j").stat().st_mode & 0o777 == 0o600
    with pytest.raises(JournalError, match="File exists"):
        Journal(tmp_path / "j")


def test_streamed_entries_are_written_together_after_a_moment(tmp_path: Path) -> None:
    later = Later()
    journal = Journal(tmp_path / "j", call_later=later)
    journal.append_stream(happening("a"))
    journal.append_stream(happening("b"))
    assert entries_in(tmp_path / "j") == []
    assert [delay for delay, _ in later.calls] == [0.016]
    later.run()
    assert entries_in(tmp_path / "j") == [happening("a"), happening("b")]
    journal.close()


def test_streamed_entries_stand_before_what_is_appended_after_them(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j", call_later=Later())
    journal.append_stream(happening("a"))
    assert journal.append(notice("b")) == 2
    assert entries_in(tmp_path / "j") == [happening("a"), notice("b")]
    journal.close()


def test_many_streamed_bytes_do_not_wait(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j", call_later=Later())
    journal.append_stream(happening("x" * STREAM_CAP))
    assert len(entries_in(tmp_path / "j")) == 1
    journal.close()


def test_closing_writes_what_waits(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j", call_later=Later())
    journal.append_stream(happening("a"))
    journal.close()
    journal.close()
    assert entries_in(tmp_path / "j") == [happening("a")]
    with pytest.raises(JournalError, match="closed"):
        journal.append(notice("late"))


async def test_the_loop_writes_streamed_entries_by_itself(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j")
    written = anyio.Event()
    journal.listeners.append(written.set)
    journal.append_stream(happening("a"))
    with anyio.fail_after(5):
        await written.wait()
    assert entries_in(tmp_path / "j") == [happening("a")]
    journal.close()


def test_a_half_written_line_is_cut_off_and_nothing_more_is_taken(tmp_path: Path) -> None:
    failing = FailingDisk()
    journal = Journal(tmp_path / "j", disk=failing.disk())
    journal.append(notice("good"))
    failing.room = 10
    with pytest.raises(JournalError, match="disk full"):
        journal.append(notice("lost"))
    failing.room = None
    with pytest.raises(JournalError, match="disk full"):
        journal.append(notice("refused"))
    reading = read_journal(tmp_path / "j")
    assert [record.entry for record in reading] == [notice("good")]
    assert reading.torn == 0
    journal.close()


def test_after_a_retry_the_chain_goes_on_and_tells_of_the_problem(tmp_path: Path) -> None:
    failing = FailingDisk()
    journal = Journal(tmp_path / "j", disk=failing.disk(), call_later=Later())
    journal.append(notice("good"))
    journal.append_stream(happening("waits"))
    failing.room = 30
    with pytest.raises(JournalError):
        journal.append(notice("lost"))
    with pytest.raises(JournalError, match="No space left"):
        journal.retry()
    failing.room = None
    journal.retry()
    journal.append(notice("after"))
    first, waited, told, last = entries_in(tmp_path / "j")
    assert (first, waited, last) == (notice("good"), happening("waits"), notice("after"))
    assert isinstance(told, Noticed)
    assert "No space left" in told.text
    journal.close()


def test_a_streamed_write_that_fails_meets_the_next_who_appends(tmp_path: Path) -> None:
    failing, later = FailingDisk(), Later()
    journal = Journal(tmp_path / "j", disk=failing.disk(), call_later=later)
    journal.append_stream(happening("a"))
    failing.room = 0
    later.run()
    assert "No space left" in journal.problem
    with pytest.raises(JournalError, match="No space left"):
        journal.append(notice("b"))
    journal.close()


def test_what_json_cannot_hold_is_refused_and_harms_nothing(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j")
    with pytest.raises(JournalError, match="cannot be written as JSON"):
        journal.append(notice("\ud800"))
    assert journal.append(notice("fine")) == 1
    assert entries_in(tmp_path / "j") == [notice("fine")]
    journal.close()


def test_what_is_nested_too_deeply_is_refused_and_harms_nothing(tmp_path: Path) -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    journal = Journal(tmp_path / "j")
    with pytest.raises(JournalError, match="cannot be written as JSON"):
        journal.append(
            RequestDecided(
                request_id="r1",
                worker="tests",
                digest="d",
                behavior=Behavior.ALLOW,
                reason=Reason.INTERACTIVE_ALLOW_ONCE,
                updated_input={"a": deep},
            )
        )
    journal.append(notice("fine"))
    assert entries_in(tmp_path / "j") == [notice("fine")]
    journal.close()
    while deep:  # freeing it at once would recurse as deeply
        deep = deep.pop()


async def test_one_sync_serves_all_who_wait(tmp_path: Path) -> None:
    started, go = threading.Event(), threading.Event()
    syncs = []

    def slow_sync(descriptor: int) -> None:
        syncs.append(descriptor)
        started.set()
        assert go.wait(5)

    journal = Journal(tmp_path / "j", disk=Disk(sync=slow_sync))
    async with anyio.create_task_group() as group:
        journal.append(notice("first"))
        group.start_soon(journal.commit)
        await anyio.to_thread.run_sync(started.wait)
        for number in range(50):
            journal.append(notice(str(number)))
            group.start_soon(journal.commit)
        go.set()
    assert len(syncs) <= 3
    journal.close()


async def test_after_a_failed_sync_a_retry_writes_the_unconfirmed_part_again(tmp_path: Path) -> None:
    failing = FailingDisk()
    journal = Journal(tmp_path / "j", disk=failing.disk())
    journal.append(notice("one"))
    failing.sync_fails = True
    with pytest.raises(JournalError, match="Input/output error"):
        await journal.commit()
    with pytest.raises(JournalError, match="Input/output error"):
        journal.retry()
    failing.sync_fails = False
    journal.retry()
    await journal.commit()
    assert len(entries_in(tmp_path / "j")) == 2
    journal.close()


WRITER = """
import sys
from pathlib import Path
from swarm.leader.session.entries import Noticed
from swarm.leader.session.journal import Journal
journal = Journal(Path(sys.argv[1]))
while True:
    number = journal.append(Noticed(level="info", text="x" * 300))
    sys.stdout.write(f"{number}\\n")
    sys.stdout.flush()
"""


def test_a_killed_writer_has_lost_no_entry_that_it_told_of(tmp_path: Path) -> None:
    path = tmp_path / "j"
    with subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE) as writer:
        assert writer.stdout is not None
        for _ in range(200):
            told = writer.stdout.readline()
        writer.kill()
        rest = writer.stdout.read().splitlines(keepends=True)
    told_last = max(int(line) for line in (told, *rest) if line.endswith(b"\n"))
    reading = read_journal(path)
    numbers = [record.n for record in reading]
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(numbers) >= told_last  # the one under way may be torn: a kill can end a write in its midst


def test_the_session_end_is_an_entry_like_any_other(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j")
    journal.append(SessionEnded(exit_code=3))
    journal.close()
    assert entries_in(tmp_path / "j") == [SessionEnded(exit_code=3)]
