"""The errors of rules and settings; each says where, what was expected and what to write instead."""

from swarm.permissions.model import Source


def pointed(line: str, column: int) -> str:
    """Show a line with a caret below its `column` (from 0), cut to what fits and made safe to show."""
    if not line:
        return ""
    first = max(0, column - 60)
    shown = "".join(c if c.isprintable() else " " for c in line[first : first + 100])
    return f"\n  {shown}\n  {' ' * (column - first)}^"


class PermissionsError(Exception):
    """Root of all errors that this package raises."""


class RuleError(PermissionsError):
    """A rule that cannot be read. `column` counts characters from 0 within the rule's text."""

    def __init__(self, text: str, problem: str, advice: str, column: int, source: Source) -> None:
        super().__init__(text, problem)
        self.text = text
        self.problem = problem
        self.advice = advice
        self.column = column
        self.source = source

    def __str__(self) -> str:
        caret = " " * self.column + "^"
        return f"{self.source}: {self.problem}\n  {self.text}\n  {caret}\n  {self.advice}"


class SettingsError(PermissionsError):
    """A settings file that cannot be used. `line` is the text of the line at fault, if there is one."""

    def __init__(self, source: Source, problem: str, advice: str, line: str = "") -> None:
        super().__init__(str(source), problem)
        self.source = source
        self.problem = problem
        self.advice = advice
        self.line = line

    def __str__(self) -> str:
        return f"{self.source}: {self.problem}. {self.advice}{pointed(self.line, self.source.column - 1)}"


class StrategyIncomplete(PermissionsError):
    """A strategy was built without a part that it cannot do without."""

    def __init__(self, part: str) -> None:
        super().__init__(part)
        self.part = part

    def __str__(self) -> str:
        return f"This strategy needs {self.part!r}, which its Surroundings lack. Give it there."
