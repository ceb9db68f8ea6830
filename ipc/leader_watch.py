"""What to do about who leads a session, look by look. Pure: it is told who does and does nothing itself."""

from enum import Enum

from swarm.ipc.leader_presence import LeaderMark

PATIENCE = 5
"""After how many looks the same leader is greeted again: it may not have been ready for the first hello."""


class Finding(Enum):
    """What a look has found."""

    NOTHING = "nothing"
    LOST = "the leader that went on is gone"
    GREET = "a leader has come that has not been greeted, or has not answered"
    WENT = "a leader had come and is gone, without going on"


class LeaderWatch:
    """Knows who was greeted and who went on. A mark of None means that nobody leads."""

    def __init__(self) -> None:
        self._leader: LeaderMark | None = None
        self._is_adopted = False
        self._came = False
        self._looks = 0

    def greeted(self, mark: LeaderMark | None) -> None:
        """Hello was said when this leader was there. One said to nobody waits for whoever comes first."""
        self._leader = mark
        self._is_adopted = False
        self._looks = 0

    def adopted(self, mark: LeaderMark | None) -> None:
        """This leader has gone on."""
        self._leader = mark
        self._is_adopted = True
        self._came = False

    def look(self, mark: LeaderMark | None) -> Finding:
        """Find what has changed now that this leader is there."""
        if self._is_adopted:
            return Finding.NOTHING if mark is not None and mark == self._leader else Finding.LOST
        if mark is None:
            went, self._came = self._came, False
            return Finding.WENT if went else Finding.NOTHING
        self._came = True
        self._looks += 1
        if self._leader is None:
            self._leader = mark
        return Finding.GREET if mark != self._leader or self._looks >= PATIENCE else Finding.NOTHING
