"""What the doctor says of mail and processes, by what the system does."""

import errno
import os
import sys
from pathlib import Path

import pytest

from swarm.ipc.mailbox import inotify, probe
from swarm.leader.cli.system_checks import check_mailbox, check_pidfd, check_subreaper, mailbox_in

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="other systems have none of it")


@LINUX
def test_here_mail_is_told_of_and_ends_and_orphans_are_seen(state: Path) -> None:
    assert check_mailbox().found == "notified by inotify"
    assert check_pidfd().usable
    assert check_subreaper().usable
    assert list((state / "swarm/sessions").iterdir()) == []


@LINUX
def test_a_mailbox_that_other_machines_may_write_to_is_polled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(probe, "is_shared", lambda folder: True)
    finding = mailbox_in(tmp_path)
    assert not finding.usable
    assert finding.found == "polled, every 2 to 500 ms: other machines may write to its file system"
    assert "XDG_STATE_HOME" in finding.advice


@LINUX
def test_a_mailbox_where_nothing_is_told_is_polled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probe, "gives_events", lambda folder: False)
    assert "tells of nothing new" in mailbox_in(tmp_path).found


def test_without_inotify_the_mailbox_is_polled_and_why_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    monkeypatch.setattr(inotify, "Inotify", refuse)
    finding = mailbox_in(tmp_path)
    assert finding.found == f"polled, every 2 to 500 ms: no inotify ({os.strerror(errno.EMFILE)})"
    assert "max_user_instances" in finding.advice


@LINUX
def test_a_system_that_refuses_process_descriptors_is_one_that_cannot_lead(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(_: int) -> int:
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr(os, "pidfd_open", refuse)
    finding = check_pidfd()
    assert (finding.usable, finding.needed) == (False, True)
    assert os.strerror(errno.EPERM) in finding.found


def test_a_system_without_process_descriptors_will_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "pidfd_open", raising=False)
    finding = check_pidfd()
    assert (finding.usable, finding.needed) == (False, False)
