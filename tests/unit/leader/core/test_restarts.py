"""When a worker that crashed is started again, and when no more."""

import pytest

from swarm.leader.core.restarts import BACKOFF_CAP, HEALTHY_RUN, JITTER, after_crash


def test_the_delay_doubles_with_each_crash_up_to_a_cap_and_jitter_is_added() -> None:
    delays = [after_crash(9, (), count, 0.0, 30.0, 0.0).delay for count in range(9)]
    assert delays[:4] == [0.5, 1.0, 2.0, 4.0]
    assert delays[-1] == BACKOFF_CAP
    assert after_crash(9, (), 0, 0.0, 30.0, 1.0).delay == pytest.approx(0.5 * (1 + JITTER))


def test_after_a_long_healthy_run_the_delay_starts_anew() -> None:
    then = after_crash(9, (), 6, 0.0, HEALTHY_RUN, 0.0)
    assert (then.delay, then.delays) == (0.5, 1)


def test_three_quick_crashes_end_the_restarts_though_retries_remain() -> None:
    first = after_crash(50, (), 0, 0.0, 1.0, 0.0)
    second = after_crash(49, first.crashes, first.delays, 2.0, 3.0, 0.0)
    third = after_crash(48, second.crashes, second.delays, 4.0, 5.0, 0.0)
    assert second.delay is not None
    assert third.delay is None
    assert "crashed 3 times within 4 s" in third.why


def test_crashes_that_are_far_apart_or_come_late_are_no_loop() -> None:
    assert after_crash(9, (1.0, 2.0), 0, 70.0, 71.0, 0.0).delay is not None
    late = after_crash(9, (1.0, 2.0), 0, 3.0, 20.0, 0.0)
    assert (late.delay, late.crashes) == (0.5, ())


def test_without_retries_a_crash_is_the_end_and_needs_no_further_reason() -> None:
    then = after_crash(0, (), 0, 0.0, 1.0, 0.0)
    assert (then.delay, then.why) == (None, "")
