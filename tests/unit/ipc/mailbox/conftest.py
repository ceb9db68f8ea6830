"""What the tests of the mailbox share: a folder for mail and a key."""

from pathlib import Path

import pytest

from swarm.ipc.mailbox.box import Mailbox

KEY = b"k" * 32


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder for mail that holds the mailbox `leader`."""
    folder = tmp_path / "mail"
    Mailbox(folder, "leader", KEY).create()
    return folder


@pytest.fixture
def leader(root: Path) -> Mailbox:
    """The mailbox of a leader, which is read."""
    return Mailbox(root, "leader", KEY)


@pytest.fixture
def worker(root: Path) -> Mailbox:
    """The sending side of a worker."""
    return Mailbox(root, "worker-a", KEY)
