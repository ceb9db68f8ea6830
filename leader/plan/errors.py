"""What can be wrong with a plan file, shown with its place and the line it stands in."""

from collections.abc import Sequence
from dataclasses import dataclass

from swarm.leader.errors import LeaderError
from swarm.leader.hostile import escape

EXCERPT = 100
"""How many characters of a source line are shown at most."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong. `line` and `column` count from 1; 0 means the file as a whole.

    `text` is a sentence with what was found, `expected` one with what to write instead, `source` the
    line of the file that it stands in.
    """

    file: str
    line: int
    column: int
    text: str
    expected: str = ""
    source: str = ""

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}" if self.line else self.file
        head = f"{place}: {escape(self.text)}"
        advice = f" {escape(self.expected)}" if self.expected else ""
        return f"{head}{advice}{self._excerpt()}"

    def _excerpt(self) -> str:
        """Give the source line and a caret under the column, both cut to what a terminal shows."""
        if not self.line or not self.source.strip():
            return ""
        start = max(0, self.column - EXCERPT // 2) if len(self.source) > EXCERPT else 0
        before = escape(self.source[start : self.column - 1])
        after = escape(self.source[self.column - 1 : start + EXCERPT])
        return f"\n{self.line:>6} | {before}{after}\n{'':>6} | {' ' * len(before)}^"


class PlanInvalid(LeaderError):
    """The plan cannot be run. Holds everything that is wrong with it, in the order of the file."""

    exit_code = 2

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__(len(problems))
        self.problems = tuple(sorted(problems, key=lambda problem: (problem.line, problem.column)))

    def __str__(self) -> str:
        count = len(self.problems)
        closing = "1 problem" if count == 1 else f"{count} problems"
        lines = "\n".join(map(str, self.problems))
        return f"{lines}\n{closing}: nothing was started."
