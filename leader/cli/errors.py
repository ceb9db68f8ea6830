"""The errors of the command line itself."""

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
