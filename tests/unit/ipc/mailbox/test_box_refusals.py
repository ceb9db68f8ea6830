"""What is no letter of a key's holder is put aside and said, and disturbs no other letter."""

import os
from pathlib import Path

import pytest

from swarm.ipc.channel import Unreadable
from swarm.ipc.mailbox import refusals
from swarm.ipc.mailbox.box import Mailbox
from swarm.ipc.mailbox.letters import FILE_CAP

KEY = b"k" * 32
NAME = "1796083647438630-0000000001-0123456789abcdef-worker-z"


def reports(box: Mailbox) -> list[Unreadable]:
    """Give what is refused, after the one letter that is sound was read."""
    assert [letter.body for letter in box.waiting()] == [b"sound"]
    assert len(os.listdir(box.new)) == 1
    return box.refused


@pytest.fixture(autouse=True)
def sound(leader: Mailbox, worker: Mailbox) -> None:
    worker.send("leader", b"sound")


def test_a_letter_without_the_key_is_refused(root: Path, leader: Mailbox) -> None:
    Mailbox(root, "worker-z", b"x" * 32).send("leader", b"\x1b[2Jfalse")
    (report,) = reports(leader)
    assert report.problem == "A letter was refused: its signature is wrong."
    assert (report.count, "worker-z" in report.excerpt, "\x1b" in report.excerpt) == (1, True, False)
    assert len(os.listdir(root / "leader/refused")) == 1


def test_many_of_a_kind_are_counted_together(leader: Mailbox) -> None:
    for number in range(5):
        (leader.new / NAME.replace("-00000", f"-{number}0000", 1)).write_bytes(b"garbage")
    (report,) = reports(leader)
    assert (report.count, report.size) == (5, 35)
    assert leader.refused == []


@pytest.mark.parametrize("name", ["x", "\x1b[2J\u202e", "a" * 255, NAME + "\n"])
def test_a_file_that_is_not_named_as_a_letter_is_refused(leader: Mailbox, name: str) -> None:
    (leader.new / name).write_bytes(b"anything")
    (report,) = reports(leader)
    assert "its name" in report.problem
    assert report.excerpt.isprintable()


def test_a_link_is_refused_and_what_it_leads_to_is_untouched(
    leader: Mailbox, root: Path, tmp_path: Path
) -> None:
    (tmp_path / "secret").write_text("secret")
    (leader.new / NAME).symlink_to(tmp_path / "secret")
    (report,) = reports(leader)
    assert "regular file" in report.problem
    assert "secret" not in report.excerpt
    assert (tmp_path / "secret").read_text() == "secret"


def test_a_pipe_a_folder_and_a_locked_file_are_refused_without_waiting(leader: Mailbox) -> None:
    os.mkfifo(leader.new / NAME)
    (leader.new / NAME.replace("z", "y")).mkdir()
    (report,) = reports(leader)
    assert (report.count, "regular file" in report.problem) == (2, True)


def test_a_file_that_is_too_long_is_refused_and_not_kept(leader: Mailbox, root: Path) -> None:
    with (leader.new / NAME).open("wb") as file:
        file.truncate(refusals.KEPT_BYTES + FILE_CAP)
    (report,) = reports(leader)
    assert "longer" in report.problem
    assert report.size == refusals.KEPT_BYTES + FILE_CAP
    assert os.listdir(root / "leader/refused") == []


def test_what_was_refused_is_kept_within_bounds(leader: Mailbox, root: Path) -> None:
    for number in range(refusals.KEPT_FILES + 10):
        (leader.new / f"garbage-{number}").mkdir()
    (report,) = reports(leader)
    assert report.count == refusals.KEPT_FILES + 10
    assert len(os.listdir(root / "leader/refused")) == refusals.KEPT_FILES


def test_a_letter_for_another_mailbox_is_refused_here(leader: Mailbox, root: Path) -> None:
    other = Mailbox(root, "worker-b", KEY)
    other.create()
    letter = Mailbox(root, "worker-z", KEY).send("worker-b", b"")
    os.rename(other.new / letter.name, leader.new / letter.name)
    (report,) = reports(leader)
    assert "for another recipient" in report.problem


def test_hidden_files_are_passed_over(leader: Mailbox) -> None:
    (leader.new / ".probe-1").touch()
    assert [letter.body for letter in leader.waiting()] == [b"sound"]
    assert leader.refused == []
