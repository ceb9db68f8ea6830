"""The real thing: writers and the reader are processes, and all of them are killed now and then."""

import os
from pathlib import Path

import pytest

from support.mail_storm import storm

pytestmark = pytest.mark.processes

WHOLE = "SWARM_MAIL_STORM"
"""Set it to run the whole storm: 10,000 letters of 20 writers."""


def test_no_letter_is_lost_or_handled_twice_whoever_is_killed(tmp_path: Path) -> None:
    outcome = storm(tmp_path, writers=5, letters=1000, kills=2, limit=50)
    assert outcome.sent == 1000
    assert min(outcome.kills) >= 1, "two deaths that are close together may become one"
    assert (outcome.lost, outcome.doubled, outcome.unordered) == (0, 0, 0)


@pytest.mark.skipif(WHOLE not in os.environ, reason=f"takes half a minute: set {WHOLE}")
@pytest.mark.timeout(300)
def test_nor_in_a_storm_of_ten_thousand(tmp_path: Path) -> None:
    outcome = storm(tmp_path, writers=20, letters=10_000, kills=8, limit=280)
    assert outcome.sent == 10_000
    assert outcome.kills[0] > 100
    assert outcome.kills[1] > 4
    assert (outcome.lost, outcome.doubled, outcome.unordered) == (0, 0, 0)
