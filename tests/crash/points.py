"""The points at which a trial strikes, as data: a place in the life of a request, and who is struck there.

A place is crossed in the leader or in the worker, before or after something is done. Nothing here runs.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

LEADER_PLACES = (
    "leader.move.shown",
    "leader.move.decided",
    "leader.move.delivered",
    "leader.move.acted",
    "leader.write.request_asked",
    "leader.write.request_decided",
    "leader.write.call_decided",
    "leader.write.request_ended",
    "leader.write.worker_changed",
    "leader.write.worker_finished",
    "leader.sync",
    "leader.send.permission_response",
)
WORKER_PLACES = (
    "worker.send.permission_request",
    "worker.take.permission_response",
    "worker.note.began",
    "worker.run",
    "worker.note.ended",
    "worker.send.result",
)
SIDES = ("before", "after")
VICTIMS = ("leader", "worker", "both", "channel")
ONCE = frozenset({"leader.write.call_decided", "leader.write.worker_finished", "worker.send.result"})
"""Places that one worker crosses a single time."""
CROSSINGS = (1, 2, 3)


@dataclass(frozen=True, slots=True)
class Point:
    """Strike `victim` at the `crossing`th time that `place` is crossed, on this `side` of it."""

    place: str
    side: str
    crossing: int
    victim: str

    def __str__(self) -> str:
        return f"{self.place} {self.side} #{self.crossing} kill {self.victim}"


def all_points() -> Iterator[Point]:
    """Give every point."""
    for place, side, victim in product(LEADER_PLACES + WORKER_PLACES, SIDES, VICTIMS):
        for crossing in CROSSINGS[:1] if place in ONCE else CROSSINGS:
            yield Point(place, side, crossing, victim)
