"""The session's key: made for its owner alone, and not believed where others could have it."""

import os
from pathlib import Path

import pytest

from swarm.ipc.mailbox.errors import MailFailed, UnsafeMail
from swarm.ipc.mailbox.key import KEY_SIZE, make_key, read_key


def test_a_key_is_made_once_and_read_again(tmp_path: Path) -> None:
    path = tmp_path / "mail.key"
    key = make_key(path)
    assert len(key) == KEY_SIZE
    assert path.stat().st_mode & 0o777 == 0o600
    assert read_key(path) == key
    with pytest.raises(MailFailed, match="exists"):
        make_key(path)


def test_two_keys_differ(tmp_path: Path) -> None:
    assert make_key(tmp_path / "a") != make_key(tmp_path / "b")


def test_a_key_that_others_can_read_is_refused(tmp_path: Path) -> None:
    make_key(tmp_path / "mail.key")
    (tmp_path / "mail.key").chmod(0o640)
    with pytest.raises(UnsafeMail, match="0640"):
        read_key(tmp_path / "mail.key")


def test_a_link_to_a_key_is_refused(tmp_path: Path) -> None:
    make_key(tmp_path / "real")
    (tmp_path / "mail.key").symlink_to(tmp_path / "real")
    with pytest.raises(UnsafeMail, match="symbolic link"):
        read_key(tmp_path / "mail.key")


@pytest.mark.parametrize("size", [0, KEY_SIZE - 1, KEY_SIZE + 1])
def test_a_key_of_another_size_is_refused(tmp_path: Path, size: int) -> None:
    (tmp_path / "mail.key").write_bytes(bytes(size))
    (tmp_path / "mail.key").chmod(0o600)
    with pytest.raises(UnsafeMail, match="no key"):
        read_key(tmp_path / "mail.key")


def test_what_is_no_file_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "mail.key", 0o600)
    with pytest.raises(UnsafeMail, match="no regular file"):
        read_key(tmp_path / "mail.key")


def test_a_missing_key_is_said_with_its_place(tmp_path: Path) -> None:
    with pytest.raises(MailFailed, match=r"mail\.key"):
        read_key(tmp_path / "mail.key")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_the_key_of_another_user_is_refused(tmp_path: Path) -> None:
    make_key(tmp_path / "mail.key")
    os.chown(tmp_path / "mail.key", 12345, -1)
    with pytest.raises(UnsafeMail, match="user 12345"):
        read_key(tmp_path / "mail.key")
