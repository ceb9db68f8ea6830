"""No letter counts twice: not when its file is copied back, nor after a restart, nor once it was pruned."""

import os
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from swarm.ipc.mailbox.box import Mailbox
from swarm.ipc.mailbox.errors import DamagedLedger
from swarm.ipc.mailbox.letters import Letter

KEY = b"k" * 32


def handle(box: Mailbox) -> list[Letter]:
    """Acknowledge all that waits."""
    letters = list(box.waiting())
    for letter in letters:
        box.acknowledge(letter)
    return letters


def replayed(box: Mailbox, copy: Path, name: str) -> list[str]:
    """Put a letter back under its name, and give the reports of that."""
    shutil.copy(copy, box.new / name)
    assert list(box.waiting()) == []
    return [report.problem for report in box.refused]


@pytest.fixture
def copies(leader: Mailbox, worker: Mailbox, tmp_path: Path) -> list[Path]:
    """Three letters that were handled, as somebody has copied them before."""
    for number in range(3):
        worker.send("leader", b"%d" % number)
    copies = [Path(shutil.copy(leader.new / name, tmp_path / name)) for name in leader.names()]
    handle(leader)
    return copies


def test_a_letter_that_is_put_back_is_refused(leader: Mailbox, copies: list[Path]) -> None:
    for copy in copies:
        assert replayed(leader, copy, copy.name) == ["A letter was refused: it was handled before."]


def test_so_it_is_after_a_restart(root: Path, copies: list[Path]) -> None:
    assert replayed(Mailbox(root, "leader", KEY), copies[1], copies[1].name)


def test_and_when_its_own_file_is_moved_back(root: Path, copies: list[Path]) -> None:
    os.rename(root / "leader/done" / copies[0].name, root / "leader/new" / copies[0].name)
    box = Mailbox(root, "leader", KEY)
    assert list(box.waiting()) == []
    assert len(box.refused) == 1


def test_and_when_it_was_pruned(root: Path, leader: Mailbox, copies: list[Path]) -> None:
    leader.prune(keep=0)
    assert os.listdir(root / "leader/done") == []
    for copy in copies:
        assert replayed(Mailbox(root, "leader", KEY), copy, copy.name)


def test_pruning_keeps_the_last_letters_and_harms_none_that_waits(
    root: Path, leader: Mailbox, worker: Mailbox, copies: list[Path]
) -> None:
    worker.send("leader", b"waits")
    leader.prune(keep=2)
    assert sorted(os.listdir(root / "leader/done")) == [copy.name for copy in copies[1:]]
    worker.send("leader", b"too")
    again = Mailbox(root, "leader", KEY)
    assert [letter.body for letter in again.waiting()] == [b"waits", b"too"]


def test_a_new_process_of_a_sender_starts_a_run_of_its_own(root: Path, leader: Mailbox) -> None:
    for body in (b"a", b"b"):
        sent = Mailbox(root, "worker-a", KEY).send("leader", body)
        assert sent.number == 1
        assert [letter.body for letter in handle(leader)] == [body]


def test_nothing_is_read_where_the_record_was_changed(
    root: Path, leader: Mailbox, worker: Mailbox, copies: list[Path]
) -> None:
    leader.prune(keep=0)
    worker.send("leader", b"")
    record = root / "leader/handled"
    record.write_bytes(record.read_bytes().replace(b"3", b"0"))
    for act in (Mailbox.names, Mailbox.prune):
        with pytest.raises(DamagedLedger, match="signature"):
            act(Mailbox(root, "leader", KEY))


@pytest.mark.processes
def test_what_dead_senders_left_unfinished_goes_and_what_living_ones_write_stays(
    root: Path, leader: Mailbox
) -> None:
    ended = subprocess.Popen(["true"])
    ended.wait()
    tmp = root / "leader/tmp"
    minute, day = time.time() - 120, time.time() - 100_000
    for name, changed in {
        f"{ended.pid}.dead": minute,
        f"{ended.pid}.dead-but-fresh": time.time(),
        f"{os.getpid()}.alive": minute,
        f"{os.getpid()}.forsaken": day,
        "no-number": minute,
    }.items():
        (tmp / name).touch()
        os.utime(tmp / name, (changed, changed))
    leader.prune()
    assert sorted(os.listdir(tmp)) == sorted([f"{ended.pid}.dead-but-fresh", f"{os.getpid()}.alive"])
