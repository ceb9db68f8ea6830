"""A state folder of its own for each test of the command line, and the program as a function."""

from pathlib import Path

import pytest
import typer.main
from unit.leader.cli.program import Ran, Swarm

from swarm.leader.cli.app import build_app, needed_commands
from swarm.leader.cli.door import run_behind
from swarm.leader.core.fake_client import FakeClient
from swarm.leader.core.views import WorkerPhase


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep every test away from the real state folder."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def swarm(capsys: pytest.CaptureFixture[str]) -> Swarm:
    """Give the program as a function of its arguments."""

    def run(*arguments: str) -> Ran:
        command = typer.main.get_command(build_app(needed_commands(arguments)))
        code = run_behind(lambda: command(list(arguments), prog_name="swarm"))
        captured = capsys.readouterr()
        return Ran(code, captured.out, captured.err)

    return run


@pytest.fixture
def client() -> FakeClient:
    """Give a session in memory with a worker that runs and one that has ended."""
    made = FakeClient()
    made.add_worker("tests")
    made.add_worker("fixer", phase=WorkerPhase.SUCCEEDED)
    return made
