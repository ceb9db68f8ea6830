"""The errors of a session on disk that is to be gone on with or removed."""

from collections.abc import Sequence

from swarm.leader.errors import JournalError, LeaderError


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


class SessionCopied(LeaderError):
    """The folder was copied or renamed: to go on here would end what the session itself still runs."""

    exit_code = 2

    def __init__(self, folder: str, session_id: str) -> None:
        super().__init__(folder, session_id)
        self.folder = folder
        self.session_id = session_id

    def __str__(self) -> str:
        return (
            f"{self.folder} is a copy of the session {self.session_id} or was renamed, so nothing was "
            f"changed. Give it its name back, or go on with that one: swarm resume {self.session_id}."
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


class NewerJournal(JournalError):
    """A journal was written by a newer program in a form that this one does not know."""

    def __init__(self, path: str, format: int, known: int) -> None:
        super().__init__(path, f"it has the format {format}, and this version knows formats up to {known}")
        self.args = (path, format, known)
        self.format = format
        self.known = known

    def __str__(self) -> str:
        return f"{self.path}: {self.problem}. It was left as it is; use the newer version of swarm."


class SessionLives(LeaderError):
    """Processes of a session's workers are left, so it is not removed."""

    def __init__(self, session_id: str, pids: Sequence[int]) -> None:
        super().__init__(session_id, pids)
        self.session_id = session_id
        self.pids = tuple(pids)

    def __str__(self) -> str:
        which = ", ".join(map(str, self.pids[:5])) + (", …" if len(self.pids) > 5 else "")
        return (
            f"{self.session_id} was not removed: processes of its workers live ({which}). "
            f"`swarm resume {self.session_id}` goes on with them; else they end when nobody does."
        )
