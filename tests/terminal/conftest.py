"""A terminal with a shell in a project of its own for every test here."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.screens import Screen
from support.tmux import TMUX, open_terminal


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The folder of a project."""
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


@pytest.fixture
def screen(project: Path, own_home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Screen]:
    """The program's screen on a terminal of 100×30 cells whose shell stands in the project."""
    if TMUX is None:
        pytest.skip("tmux is not installed; these tests need a real terminal")
    for name in ("NO_COLOR", "SWARM_ASCII", "SWARM_REDUCED_MOTION", "TMUX", "TMUX_PANE"):
        monkeypatch.delenv(name, raising=False)
    # A short path, so that the sockets of sessions lie in their folders.
    monkeypatch.setenv("XDG_STATE_HOME", str(own_home.parent / "s"))
    with open_terminal(project) as terminal:
        yield Screen(terminal)
