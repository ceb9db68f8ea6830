"""The errors of the mailbox. Each says what happened, where, and what to do."""

import errno
from typing import TYPE_CHECKING

from swarm.ipc.errors import IpcError
from swarm.ipc.escape import visible

if TYPE_CHECKING:
    from pathlib import Path

_ADVICE = {
    errno.ENOSPC: "Make room on that disk; nothing was sent.",
    errno.EDQUOT: "Your quota is used up: make room; nothing was sent.",
    errno.EROFS: "That file system can't be written: have it mounted for writing.",
    errno.EACCES: "Make the folder yours to read and write.",
    errno.EMFILE: "This process has too many files open: raise its limit (ulimit -n).",
}
_OTHER_ADVICE = "See whether the disk is sound and the session's folder is still there."


class MailError(IpcError):
    """Root of all errors of the mailbox."""


class InvalidName(MailError):
    """This can't be the name of a mailbox, since it could lead out of the mail's folder."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name

    def __str__(self) -> str:
        return (
            f"No mailbox can be called {visible(self.name)!r}: a name has 1 to 80 letters, digits, "
            "'.', '_' and '-', and starts with no '.'."
        )


class UnknownRecipient(MailError):
    """There is no mailbox of this name in `root`."""

    def __init__(self, name: str, root: "Path") -> None:
        super().__init__(name, root)
        self.name = name
        self.root = root

    def __str__(self) -> str:
        return (
            f"There is no mailbox {self.name!r} in {self.root}: who would read it has not opened it yet, "
            "or the session was removed."
        )


class TooLongToSend(MailError):
    """The body is longer than a letter may hold. Sizes in bytes."""

    def __init__(self, size: int, cap: int) -> None:
        super().__init__(size, cap)
        self.size = size
        self.cap = cap

    def __str__(self) -> str:
        return f"The letter would hold {self.size} bytes, which is more than the cap of {self.cap}."


class UnsafeMail(MailError):
    """A folder or file of the mail is such that others could have planted it or can read it."""

    def __init__(self, path: "Path", problem: str) -> None:
        super().__init__(path, problem)
        self.path = path
        self.problem = problem

    def __str__(self) -> str:
        return f"{self.path} is not used: {self.problem}. Remove it if you know how it came there."


class MailFailed(MailError):
    """The system refused an operation on `path`. `errno` says why."""

    def __init__(self, action: str, path: "Path", error: OSError) -> None:
        super().__init__(action, path, error)
        self.action = action
        self.path = path
        self.errno = error.errno or errno.EIO
        self.problem = error.strerror or str(error)

    def __str__(self) -> str:
        advice = _ADVICE.get(self.errno, _OTHER_ADVICE)
        return f"{self.action} {self.path} failed: {self.problem}. {advice}"


class DamagedLedger(MailError):
    """The record of what was handled was changed by another hand, so that replays can't be told."""

    def __init__(self, path: "Path") -> None:
        super().__init__(path)
        self.path = path

    def __str__(self) -> str:
        return (
            f"{self.path} does not bear the session's signature, so old letters can't be told from new "
            "ones, and none is read. Something else than Swarm has written it, or the disk is damaged. "
            "If you are sure that nobody plants letters, remove it and start again."
        )


class BadLetter(MailError):
    """A file is no letter for this reader. `problem` completes "a letter was refused: …"."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem

    def __str__(self) -> str:
        return f"A letter was refused: {self.problem}."


class PeerTaken(MailError):
    """There is a stream for this peer already, and letters can go only one way."""

    def __init__(self, peer: str) -> None:
        super().__init__(peer)
        self.peer = peer

    def __str__(self) -> str:
        return f"A stream to {self.peer!r} is open already: close it before another is opened."
