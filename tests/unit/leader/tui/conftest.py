import pytest

from swarm.leader.tui.stage import Stage


@pytest.fixture
def stage() -> Stage:
    """A stage with four workers at work."""
    made = Stage()
    for name in ("tests", "survey", "fixer", "release"):
        made.client.add_worker(name)
    return made
