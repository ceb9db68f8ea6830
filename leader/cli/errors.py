"""The errors of the command line itself."""

from collections.abc import Sequence

from swarm.leader.errors import LeaderError


class NotSeen(LeaderError):
    """An id alone was given for a request to be allowed, where nobody can be shown what it is."""

    exit_code = 2

    def __init__(self, request_id: str, answer: str) -> None:
        super().__init__(request_id, answer)
        self.request_id = request_id
        self.answer = answer

    def __str__(self) -> str:
        return (
            f"{self.request_id} alone does not say what you saw, since every session has one. "
            f"Look at `swarm pending`, then: {self.answer}"
        )


class LeaderLives(LeaderError):
    """A session was to be resumed whose leader is alive."""

    exit_code = 2

    def __init__(self, session_id: str, pid: int) -> None:
        super().__init__(session_id, pid)
        self.session_id = session_id
        self.pid = pid

    def __str__(self) -> str:
        at = f"--session {self.session_id}"
        return (
            f"{self.session_id} is being led by process {self.pid}, so nothing was changed. "
            f"Reach it with `swarm pending {self.session_id}`, `swarm approve REQUEST {at}`, "
            f"`swarm deny REQUEST {at}` and `swarm stop {at}`, or open a screen on it with "
            f"`swarm resume {self.session_id}` on a terminal, without options."
        )


class SessionOver(LeaderError):
    """A session was to be resumed that has ended."""

    exit_code = 2

    def __init__(self, session_id: str, code: int) -> None:
        super().__init__(session_id, code)
        self.session_id = session_id
        self.code = code

    def __str__(self) -> str:
        return (
            f"{self.session_id} has ended with {self.code}, so there is nothing to go on with. "
            f"`swarm show {self.session_id}` tells how it went."
        )


class NothingToResume(LeaderError):
    """No session was interrupted."""

    exit_code = 2

    def __str__(self) -> str:
        return "No session was interrupted, so there is none to go on with. `swarm ls --all` lists all."


class SeveralInterrupted(LeaderError):
    """More than one session was interrupted, so it is not clear which is meant."""

    exit_code = 2

    def __init__(self, ids: Sequence[str]) -> None:
        super().__init__(len(ids))
        self.ids = tuple(ids)

    def __str__(self) -> str:
        shown = "".join(f"\n  swarm resume {session_id}" for session_id in self.ids[:20])
        more = f"\n  and {len(self.ids) - 20} more" if len(self.ids) > 20 else ""
        return (
            f"{len(self.ids)} sessions were interrupted. Say which one is meant, or take the newest "
            f"with `swarm continue`:{shown}{more}"
        )
