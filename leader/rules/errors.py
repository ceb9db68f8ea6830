"""The errors of the commands about rules; each says what happened, where, and what to do."""

from collections.abc import Sequence

from swarm.leader.errors import LeaderError
from swarm.leader.plan.errors import Problem


class CasesInvalid(LeaderError):
    """A file of cases that cannot be run. Holds everything that is wrong with it."""

    exit_code = 2

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__(len(problems))
        self.problems = tuple(problems)

    def __str__(self) -> str:
        count = len(self.problems)
        closing = "1 problem" if count == 1 else f"{count} problems"
        lines = "\n".join(map(str, self.problems))
        return f"{lines}\n{closing}: no case was run."


class BadQuestion(LeaderError):
    """What was asked about is no call of a tool, or what it refers to is not there."""

    exit_code = 2

    def __init__(self, problem: str, advice: str) -> None:
        super().__init__(problem)
        self.problem = problem
        self.advice = advice

    def __str__(self) -> str:
        return f"{self.problem} {self.advice}".strip()
