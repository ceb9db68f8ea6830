"""The errors of a worker. What a tool raises is told to the agent as the call's outcome."""


class WorkerError(Exception):
    """Root of all errors that this package raises."""


class ToolError(WorkerError):
    """A tool call cannot be done. The text says what happened, where and what to do."""


class InvalidInput(ToolError):
    """The input does not fit the tool."""


class StaleFile(ToolError):
    """The file is no longer what it was when it was read or shown."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.path = path

    def __str__(self) -> str:
        return f"{self.path} has changed since it was read. Read it again, then repeat the edit."
