"""The errors of the wire. A local error is a fault of ours, a remote one a fault of the other end."""

from typing import Literal

ErrorCode = Literal["unknown_type", "invalid", "wrong_state", "unsupported_version"]
"""What an `error` reply says of the message at fault."""


class IpcError(Exception):
    """Root of all errors that this package raises."""


class ChannelClosed(IpcError):
    """The channel has ended, so nothing more can be sent or received on it."""

    def __init__(self, why: str = "it was closed") -> None:
        super().__init__(why)
        self.why = why

    def __str__(self) -> str:
        return f"The channel to the other end is closed: {self.why}."


class LocalProtocolError(IpcError):
    """We tried to send what the state of the connection does not permit."""


class TooLong(LocalProtocolError):
    """A message of ours makes a longer line than the other end would read. Sizes in bytes."""

    def __init__(self, size: int, cap: int) -> None:
        super().__init__(size, cap)
        self.size = size
        self.cap = cap

    def __str__(self) -> str:
        return f"The message makes a line of {self.size} bytes, which is more than the cap of {self.cap}."


class RemoteProtocolError(IpcError):
    """The other end sent what the state of the connection does not permit. `code` is for the reply."""

    def __init__(self, problem: str, code: ErrorCode = "wrong_state", message_id: str = "") -> None:
        super().__init__(problem, code, message_id)
        self.problem = problem
        self.code: ErrorCode = code
        self.message_id = message_id

    def __str__(self) -> str:
        return self.problem


class Overfull(IpcError):
    """The other end reads too slowly, so more waits to be sent than the stated cap in bytes."""

    def __init__(self, waiting: int, cap: int) -> None:
        super().__init__(waiting, cap)
        self.waiting = waiting
        self.cap = cap

    def __str__(self) -> str:
        return (
            f"{self.waiting} bytes wait to be sent, which is more than the cap of {self.cap}: "
            "the other end does not read."
        )


class BadReference(IpcError):
    """A reference in a plan's text that cannot be used. `span` counts characters of that text."""

    def __init__(self, problem: str, span: tuple[int, int]) -> None:
        super().__init__(problem)
        self.problem = problem
        self.span = span

    def __str__(self) -> str:
        return f"Character {self.span[0] + 1}: {self.problem}"


class NotStartedByLeader(IpcError):
    """Standard input and output are no pipes from a leader, so there is nobody to talk to."""

    def __init__(self, found: str) -> None:
        super().__init__(found)
        self.found = found

    def __str__(self) -> str:
        return f"This program is started by `swarm run`, which gives it two pipes, but {self.found}."
