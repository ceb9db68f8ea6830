"""The errors of a worker. What a tool raises is told to the agent as the call's outcome."""

from swarm.permissions.model import Decision


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


class NotNoted(ToolError):
    """A call could not be noted in the worker's journal, so it must not run."""

    def __init__(self, path: str, error: OSError) -> None:
        super().__init__(path, error)
        self.path = path
        self.problem = error.strerror or str(error)

    def __str__(self) -> str:
        return (
            f"The call was not run, since it could not be noted in {self.path}: {self.problem}. "
            "Make that file's disk writable or make room on it, then call again."
        )


class UnknownTool(ToolError):
    """The agent called a tool that does not exist. `known` are the names that do."""

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        super().__init__(name)
        self.name = name
        self.known = known

    def __str__(self) -> str:
        from swarm.worker.tools.nearest import nearest_word  # errors must load before the tools do

        nearest = nearest_word(self.name, self.known)
        meant = f" Did you mean {nearest}?" if nearest else ""
        return f"There is no tool named {self.name!r}.{meant} The tools are {', '.join(self.known)}."


class UnknownAgent(WorkerError):
    """The plan names a kind of agent that this worker cannot run. `known` are the kinds that it can."""

    def __init__(self, kind: str, known: tuple[str, ...]) -> None:
        super().__init__(kind)
        self.kind = kind
        self.known = known

    def __str__(self) -> str:
        return f"There is no agent of kind {self.kind!r}. Set `agent` to one of: {', '.join(self.known)}."


class InvalidAgent(WorkerError):
    """The agent's configuration cannot be used. `problems` are sentences, each naming its place."""

    def __init__(self, kind: str, problems: tuple[str, ...]) -> None:
        super().__init__(kind, problems)
        self.kind = kind
        self.problems = problems

    def __str__(self) -> str:
        return f"The configuration of the {self.kind} agent cannot be used: " + " ".join(self.problems)


class InvalidStart(WorkerError):
    """The start message asks for what this worker cannot do."""


class Denied(WorkerError):
    """A call was not allowed, so it was not run."""

    def __init__(self, decision: Decision) -> None:
        super().__init__(decision)
        self.decision = decision

    def __str__(self) -> str:
        return f"The call was not allowed: {self.decision.message}"


class OverTime(WorkerError):
    """A call ran for longer than its limit in seconds, and was ended."""

    def __init__(self, limit: float) -> None:
        super().__init__(limit)
        self.limit = limit

    def __str__(self) -> str:
        return f"The call was cut short: its limit of {self.limit:g} s was over. What ran was ended."
