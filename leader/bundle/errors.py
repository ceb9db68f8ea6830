"""The errors of packing a bug report."""

from swarm.leader.errors import LeaderError


class BundleNotWritten(LeaderError):
    """The archive could not be written; what stood there before is as it was."""

    exit_code = 2

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(path, problem)
        self.path = path
        self.problem = problem

    def __str__(self) -> str:
        return (
            f"{self.path} was not written: {self.problem}. Name another file: swarm doctor --bundle FILE."
        )
