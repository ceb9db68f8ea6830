"""The errors of a session on disk that is to be gone on with."""

from swarm.leader.errors import LeaderError


class SessionHeld(LeaderError):
    """Another process leads the session, or is about to. `pid` is 0 where it is not known."""

    exit_code = 2

    def __init__(self, session_id: str, pid: int) -> None:
        super().__init__(session_id, pid)
        self.session_id = session_id
        self.pid = pid

    def __str__(self) -> str:
        who = f"process {self.pid}" if self.pid else "another process"
        return (
            f"{self.session_id} is held by {who}, so nothing was changed. If that leads it, "
            f"reach it with `swarm pending {self.session_id}` and `swarm stop --session {self.session_id}`."
        )


class NothingKept(LeaderError):
    """Not one entry of a journal can be trusted, so there is nothing to go on with."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(path, problem)
        self.path = path
        self.problem = problem

    def __str__(self) -> str:
        return (
            f"Nothing of {self.path} can be used: {self.problem}. It was left as it is. "
            "Run the plan anew: swarm run PLAN."
        )
