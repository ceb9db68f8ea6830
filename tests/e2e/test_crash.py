"""A few of the points that `scripts/crash_test` tries: nothing is lost, nothing runs twice or unasked."""

from pathlib import Path

import pytest
from crash.points import Point, all_points
from crash.trial import run_trial, struck
from crash.verdict import problems_of

TRIED = (
    Point("leader.move.decided", "after", 1, "leader"),
    Point("leader.write.request_asked", "before", 2, "both"),
    Point("worker.run", "after", 1, "worker"),
    Point("worker.take.permission_response", "before", 2, "channel"),
)


def test_every_point_that_is_tried_here_is_one_of_the_hundreds() -> None:
    points = set(all_points())
    assert len(points) > 300
    assert points.issuperset(TRIED)


@pytest.mark.parametrize("point", TRIED, ids=str)
async def test_a_run_comes_to_its_end_through_a_crash(point: Point, tmp_path: Path) -> None:
    ran = await run_trial(point, tmp_path)
    assert struck(ran)
    assert problems_of(ran) == []
