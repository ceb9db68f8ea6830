"""How a session is taken over whose leader has died, whatever state its journal is in."""

import itertools
import os
import shutil
import tempfile
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarm.leader.errors import JournalBroken, JournalError
from swarm.leader.plan.errors import PlanInvalid
from swarm.leader.plan.load import load_plan
from swarm.leader.session.chain import Record
from swarm.leader.session.entries import FORMAT, Noticed, SessionStarted
from swarm.leader.session.errors import NewerJournal, NothingKept, SessionCopied, SessionHeld
from swarm.leader.session.folder import Session, create_session
from swarm.leader.session.journal import Journal
from swarm.leader.session.presence import lock_is_held, process_start, read_leader_file, write_leader_file
from swarm.leader.session.reading import read_journal
from swarm.leader.session.recovery import Recovered, recover_journal
from swarm.leader.session.reopening import reopen_session, stored_plan
from swarm.leader.session.stored import StoredSession, find_session

STEPS = "version: 1\nworkers: {tests: {steps: [{say: hello}]}}\n"


def ignore(record: Record) -> None:
    """Take a record that nobody needs."""


def texts(path: Path) -> list[str]:
    with read_journal(path) as reading:
        return [record.entry.text for record in reading if isinstance(record.entry, Noticed)]


def written(folder: Path, *words: str) -> Path:
    journal = Journal(folder / "journal.jsonl", clock=lambda: 1.0)
    for word in words:
        journal.append(Noticed(level="info", text=word))
    journal.close()
    return journal.path


def recovered(path: Path) -> Recovered:
    found = recover_journal(path, ignore, lambda: 2.0)
    found.journal.append(Noticed(level="info", text="again"))
    found.journal.close()
    return found


def left_session(folder: Path) -> tuple[StoredSession, dict[str, str]]:
    """Give a session whose leader has gone without closing anything."""
    plan_file = folder / "plan.yaml"
    plan_file.write_text(STEPS)
    environment = {"XDG_STATE_HOME": str(folder)}
    session = create_session(load_plan(plan_file), "swarm 0.1.0", environment=environment)
    session.journal.append(Noticed(level="info", text="first"))
    os.close(session.lock)
    return find_session(session.id, environment=environment), environment


def reopened(stored: StoredSession) -> tuple[Session, list[Record]]:
    records: list[Record] = []
    session, _ = reopen_session(stored, stored_plan(stored), "swarm 0.2.0", records.append)
    return session, records


def test_a_whole_journal_is_gone_on_with_and_nothing_is_put_aside(tmp_path: Path) -> None:
    path = written(tmp_path, "one", "two")
    assert recovered(path).aside is None
    assert texts(path) == ["one", "two", "again"]


def test_an_unfinished_last_entry_is_kept_beside_the_journal(tmp_path: Path) -> None:
    path = written(tmp_path, "one", "two")
    whole = path.read_bytes()
    path.write_bytes(whole[:-5])
    found = recovered(path)
    assert texts(path) == ["one", "again"]
    assert found.aside is not None
    assert found.aside.read_bytes() == whole[:-5].split(b"\n", 1)[1]
    assert found.aside.stat().st_mode & 0o777 == 0o600
    assert "the last entry is unfinished" in found.notice
    assert found.aside.name in found.notice


def test_what_follows_a_damaged_entry_is_kept_beside_and_not_believed(tmp_path: Path) -> None:
    path = written(tmp_path, "one", "two", "three")
    path.write_bytes(path.read_bytes().replace(b"two", b"owt"))
    found = recovered(path)
    assert texts(path) == ["one", "again"]
    assert found.aside is not None
    assert found.aside.read_bytes().count(b"\n") == 2
    assert "entry 2" in found.notice


def test_a_second_recovery_keeps_what_the_first_put_aside(tmp_path: Path) -> None:
    path = written(tmp_path, "one", "two")
    path.write_bytes(path.read_bytes()[:-5])
    first = recovered(path)
    path.write_bytes(path.read_bytes()[:-5])
    second = recovered(path)
    assert first.aside is not None
    assert second.aside is not None
    assert first.aside != second.aside
    assert first.aside.exists()


def test_a_journal_without_one_good_entry_is_left_as_it_is(tmp_path: Path) -> None:
    path = written(tmp_path, "one")
    path.write_bytes(b"{}\n")
    with pytest.raises(NothingKept, match="swarm run PLAN"):
        recover_journal(path, ignore, lambda: 2.0)
    assert path.read_bytes() == b"{}\n"
    assert list(tmp_path.iterdir()) == [path]


@given(st.data())
def test_damage_anywhere_loses_no_entry_before_it_and_makes_up_none(data: st.DataObject) -> None:
    words = [f"word {number}" for number in range(6)]
    with tempfile.TemporaryDirectory() as folder:
        path = written(Path(folder), *words)
        whole = path.read_bytes()
        at = data.draw(st.integers(0, len(whole) - 1))
        is_cut = data.draw(st.booleans())
        path.write_bytes(whole[:at] if is_cut else whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        ends = list(itertools.accumulate(len(line) + 1 for line in whole.split(b"\n")[:-1]))
        before = sum(end <= at for end in ends)
        try:
            recovered(path)
        except NothingKept:
            assert before == 0
            return
        assert texts(path) == [*words[:before], "again"]


def test_who_reopens_a_session_holds_it_and_gets_every_record(tmp_path: Path) -> None:
    stored, environment = left_session(tmp_path)
    session, records = reopened(stored)
    with session:
        assert [record.entry for record in records] == [Noticed(level="info", text="first")]
        assert lock_is_held(session.folder)
        leader = read_leader_file(session.folder)
        assert leader is not None
        assert leader.program == "swarm 0.2.0"
        session.journal.append(Noticed(level="info", text="second"))
    assert texts(find_session(session.id, environment=environment).journal) == ["first", "second"]


def test_a_session_is_not_taken_from_who_holds_it(tmp_path: Path) -> None:
    stored, _ = left_session(tmp_path)
    session, _ = reopened(stored)
    with session, pytest.raises(SessionHeld, match="nothing was changed"):
        reopened(stored)


def test_a_session_that_cannot_be_reopened_is_held_by_nobody(tmp_path: Path) -> None:
    stored, _ = left_session(tmp_path)
    stored.journal.write_bytes(b"")
    with pytest.raises(NothingKept):
        reopened(stored)
    assert not lock_is_held(stored.folder)


def test_the_dead_leaders_socket_and_unfinished_files_are_removed(tmp_path: Path) -> None:
    stored, _ = left_session(tmp_path)
    assert stored.leader is not None
    Path(stored.leader.control).touch()
    unfinished = stored.folder / ".leader.json.77.new"
    unfinished.touch()
    session, _ = reopened(stored)
    with session:
        assert not session.control.exists()
        assert not unfinished.exists()


def test_the_plan_is_the_one_that_was_run_and_not_the_files_present_text(tmp_path: Path) -> None:
    stored, _ = left_session(tmp_path)
    (tmp_path / "plan.yaml").write_text("version: 1\nworkers: {other: {steps: [{say: x}]}}\n")
    plan = stored_plan(stored)
    assert [worker.name for worker in plan.workers] == ["tests"]
    assert plan.file == tmp_path / "plan.yaml"


def test_a_stored_plan_that_cannot_be_run_any_more_says_so(tmp_path: Path) -> None:
    stored, _ = left_session(tmp_path)
    stored.plan.write_text("version: 9\n")
    with pytest.raises(PlanInvalid):
        stored_plan(stored)


def test_a_journal_that_may_not_be_written_is_an_error_and_no_change(tmp_path: Path) -> None:
    path = written(tmp_path, "one")
    moved = path.rename(tmp_path / "real.jsonl")
    path.symlink_to(moved)
    with pytest.raises(JournalError) as caught:
        recover_journal(path, ignore, lambda: 2.0)
    assert not isinstance(caught.value, JournalBroken)
    assert texts(moved) == ["one"]


def test_a_note_of_the_end_is_no_longer_true_of_a_journal_that_is_gone_on_with(tmp_path: Path) -> None:
    stored, _ = left_session(tmp_path)
    (stored.folder / "journal.head").write_text('{"entries":1,"hash":"00"}')
    session, _ = reopened(stored)
    assert not (stored.folder / "journal.head").exists()
    session.close()


def test_a_socket_folder_that_the_system_has_removed_hinders_nothing(tmp_path: Path) -> None:
    stored, environment = left_session(tmp_path)
    leader = read_leader_file(stored.folder)
    assert leader is not None
    gone = Path(tempfile.gettempdir()) / "swarm-long-gone" / "control.sock"
    write_leader_file(stored.folder, msgspec.structs.replace(leader, control=str(gone)))
    session, _ = reopened(find_session(stored.id, environment=environment))
    session.close()


def test_a_journal_of_a_newer_format_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.jsonl", clock=lambda: 1.0)
    started = SessionStarted(
        session_id="s", name="n", plan_file="/p.yaml", pid=1, program="swarm 9", format=FORMAT + 1
    )
    journal.append(started)
    journal.close()
    before = journal.path.read_bytes()
    with pytest.raises(NewerJournal, match="newer version of swarm"):
        recover_journal(journal.path, ignore, lambda: 2.0)
    assert journal.path.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["journal.jsonl"]


def test_a_copy_of_a_session_is_not_gone_on_with_since_that_would_end_the_workers_of_the_other(
    tmp_path: Path,
) -> None:
    stored, environment = left_session(tmp_path)
    shutil.copytree(stored.folder, stored.folder.with_name("a-copy"))
    with pytest.raises(SessionCopied, match=f"swarm resume {stored.id}"):
        reopened(find_session("a-copy", environment=environment))


def test_a_free_lock_is_not_believed_while_the_leader_lives(tmp_path: Path) -> None:
    stored, _ = left_session(tmp_path)
    assert stored.leader is not None
    parent = os.getppid()
    started = process_start(parent)
    assert started is not None
    leader = msgspec.structs.replace(stored.leader, pid=parent, process_started=started)
    write_leader_file(stored.folder, leader)
    with pytest.raises(SessionHeld, match=str(parent)):
        reopened(stored)
