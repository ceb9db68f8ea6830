"""Moments as people read them. Prints nothing."""

import time


def moment(at: float) -> str:
    """Give a moment in local time, to the second. `at` is in seconds of the epoch."""
    return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(at))
