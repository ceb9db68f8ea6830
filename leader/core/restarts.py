"""Whether and when a worker that crashed is started again. Pure."""

from dataclasses import dataclass

BACKOFF_FIRST = 0.5  # seconds; doubled with each crash
BACKOFF_CAP = 32.0
JITTER = 0.25
QUICK_RUN = 10.0  # seconds; who crashes within them of the launch has crashed quickly
LOOP_CRASHES = 3
LOOP_TIME = 60.0  # seconds within which so many quick crashes are a loop
HEALTHY_RUN = 60.0  # seconds after which a crash counts as the first again


@dataclass(frozen=True, slots=True)
class Restart:
    """What becomes of a worker after a crash. `delay` is in seconds, None for: it is not started again.

    `why` says why not though it has retries left. `crashes` and `delays` are what to remember of it.
    """

    delay: float | None
    why: str = ""
    crashes: tuple[float, ...] = ()
    delays: int = 0


def after_crash(
    retries_left: int, crashes: tuple[float, ...], delays: int, launched: float, now: float, jitter: float
) -> Restart:
    """Give what becomes of it. `crashes` are the times of its quick ones, `jitter` is in 0..1."""
    ran = now - launched
    recent = tuple(at for at in crashes if now - at <= LOOP_TIME)
    recent = (*recent, now) if ran < QUICK_RUN else ()
    if retries_left <= 0:
        return Restart(None)
    if len(recent) >= LOOP_CRASHES:
        why = (
            f"it crashed {len(recent)} times within {now - recent[0]:.0f} s, each time within"
            f" {QUICK_RUN:g} s of its start, so it is not started again"
        )
        return Restart(None, why)
    delays = 0 if ran >= HEALTHY_RUN else delays
    delay = min(BACKOFF_CAP, BACKOFF_FIRST * 2.0**delays) * (1 + JITTER * jitter)
    return Restart(delay, "", recent, delays + 1)
