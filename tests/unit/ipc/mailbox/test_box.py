"""A mailbox: letters arrive in order, once, and only where there is a reader."""

import errno
import os
from itertools import pairwise
from pathlib import Path

import pytest

from swarm.ipc.mailbox.box import Mailbox
from swarm.ipc.mailbox.errors import InvalidName, MailFailed, UnknownRecipient, UnsafeMail

KEY = b"k" * 32


def bodies(box: Mailbox) -> list[bytes]:
    """Give what waits."""
    return [letter.body for letter in box.waiting()]


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_letters_arrive_in_the_order_in_which_they_were_sent(leader: Mailbox, worker: Mailbox) -> None:
    sent = [worker.send("leader", b"%d" % number) for number in range(20)]
    assert list(leader.waiting()) == sent
    assert [letter.number for letter in sent] == list(range(1, 21))


def test_the_order_holds_when_the_clock_is_set_back(root: Path, leader: Mailbox) -> None:
    times = iter([100.0, 50.0, 60.0, 200.0])
    worker = Mailbox(root, "worker-a", KEY, clock=lambda: next(times))
    for number in range(4):
        worker.send("leader", b"%d" % number)
    assert bodies(leader) == [b"0", b"1", b"2", b"3"]


def test_a_letter_waits_until_it_was_acknowledged(root: Path, leader: Mailbox, worker: Mailbox) -> None:
    worker.send("leader", b"first")
    worker.send("leader", b"second")
    leader.acknowledge(next(leader.waiting()))
    assert bodies(leader) == bodies(Mailbox(root, "leader", KEY)) == [b"second"]
    assert len(names(root / "leader/done")) == len(names(root / "leader/new")) == 1


def test_a_letter_to_nobody_is_an_error(root: Path, worker: Mailbox) -> None:
    with pytest.raises(UnknownRecipient, match="no mailbox 'worker-b'"):
        worker.send("worker-b", b"")
    assert names(root) == ["leader"]


def test_a_letter_never_leaves_the_folder_of_mail(worker: Mailbox) -> None:
    with pytest.raises(InvalidName):
        worker.send("../leader", b"")


def test_everything_is_for_its_owner_alone(root: Path, worker: Mailbox) -> None:
    worker.send("leader", b"")
    modes = {path: path.stat().st_mode & 0o777 for path in root.rglob("*")}
    assert {mode for path, mode in modes.items() if path.is_dir()} == {0o700}
    assert {mode for path, mode in modes.items() if path.is_file()} == {0o600}


def test_nothing_unfinished_is_left_of_a_letter(root: Path, worker: Mailbox) -> None:
    worker.send("leader", b"")
    assert names(root / "leader/tmp") == []


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EIO])
def test_a_disk_that_takes_nothing_is_said_with_advice(
    root: Path, leader: Mailbox, worker: Mailbox, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def fail(fd: int) -> None:
        raise OSError(number, os.strerror(number))

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fail)
        with pytest.raises(MailFailed, match=os.strerror(number)) as caught:
            worker.send("leader", b"lost")
    assert caught.value.errno == number
    assert names(root / "leader/tmp") == names(root / "leader/new") == []
    worker.send("leader", b"next")
    assert bodies(leader) == [b"next"]


def test_a_folder_that_others_may_use_is_refused(root: Path, worker: Mailbox) -> None:
    (root / "leader").chmod(0o750)
    with pytest.raises(UnsafeMail, match="0750"):
        Mailbox(root, "leader", KEY).create()
    with pytest.raises(UnsafeMail, match="0750"):
        worker.send("leader", b"")


@pytest.mark.parametrize("part", ["leader", "leader/new", "leader/tmp"])
def test_a_folder_that_is_a_link_is_refused(root: Path, worker: Mailbox, part: str) -> None:
    (root / part).rename(root / "elsewhere")
    (root / part).symlink_to(root / "elsewhere")
    with pytest.raises(UnsafeMail, match="symbolic link"):
        Mailbox(root, "leader", KEY).create()
    with pytest.raises(UnsafeMail, match="symbolic link"):
        worker.send("leader", b"")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_the_folder_of_another_user_is_refused(root: Path, worker: Mailbox) -> None:
    os.chown(root / "leader", 12345, -1)
    with pytest.raises(UnsafeMail, match="user 12345"):
        worker.send("leader", b"")


def test_who_takes_over_can_put_away_what_was_for_another(leader: Mailbox, worker: Mailbox) -> None:
    for _ in range(3):
        worker.send("leader", b"")
    assert leader.clear() == 3
    assert bodies(leader) == []


def test_ten_thousand_letters_are_listed_once(leader: Mailbox, worker: Mailbox, root: Path) -> None:
    sent = worker.send("leader", b"x")
    first = root / "leader/new" / sent.name
    copies = [sent.name.replace("-0000000001-", f"-{number:010d}-") for number in range(2, 10_001)]
    for name in copies:
        os.link(first, root / "leader/new" / name)
    listed = leader.names()
    assert len(listed) == 10_000
    assert all(earlier < later for earlier, later in pairwise(listed))
    assert leader.names(frozenset(listed)) == []
