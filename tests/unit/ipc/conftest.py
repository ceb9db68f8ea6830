"""Pairs of connections and channels."""

from collections.abc import AsyncIterator

import pytest

from support.wired import HELLO, START, MakeEnds, Pair, Team, in_memory, over_pipes


@pytest.fixture
def pair() -> Pair:
    """Give two ends that have said hello and started."""
    running = Pair()
    running.up(HELLO)
    running.down(START)
    return running


@pytest.fixture(params=[over_pipes, in_memory], ids=["pipes", "memory"])
def make_ends(request: pytest.FixtureRequest) -> MakeEnds:
    made: MakeEnds = request.param
    return made


@pytest.fixture
async def team(make_ends: MakeEnds) -> AsyncIterator[Team]:
    team = Team(make_ends(1_000_000))
    await team.start()
    yield team
    await team.end()
