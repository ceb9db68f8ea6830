"""Notes each tool call before its tool begins and after it has ended, so that none is ever run twice.

It outlives the process, not the machine. It decides about no call; what cannot be noted cannot run.
"""

import errno
import os
import stat

import msgspec

from swarm.ipc.call_log import CallBegan, CallEnded, CallLine, call_log_of
from swarm.ipc.messages import Start
from swarm.worker.bounds import bounded
from swarm.worker.calls import Outcome
from swarm.worker.errors import NotNoted
from swarm.worker.past import Past

OUTPUTS_CAP = 16 * 1024 * 1024
"""How many bytes of lines with outputs one attempt writes; then it notes only that a call has ended."""
_NOT_KEPT = "… The output was not kept."
_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
_encode = msgspec.json.Encoder().encode


class CallJournal:
    """The journal of one worker. Without a path it notes nothing. Opened when the first call begins.

    `past` is what earlier attempts have noted, once it was read.
    """

    def __init__(self, path: str = "", attempt: int = 1) -> None:
        self.past = Past()
        self._path = path
        self._attempt = attempt
        self._descriptor = -1
        self._is_torn = False
        self._room = OUTPUTS_CAP

    def __repr__(self) -> str:
        return f"<CallJournal {self._path or 'that notes nothing'}, attempt {self._attempt}>"

    @property
    def is_kept(self) -> bool:
        """Whether anything is noted."""
        return bool(self._path)

    def begin(self, call: str, tool: str, request: str = "", digest: str = "", step: str = "") -> None:
        """Note that a tool is about to begin. Raises NotNoted; then it must not."""
        if not self._path:
            return
        try:
            self._write(
                CallBegan(
                    call=call, attempt=self._attempt, request=request, step=step, tool=tool, digest=digest
                )
            )
        except OSError as error:
            raise NotNoted(self._path, error) from error

    def end(self, call: str, outcome: Outcome, request: str = "", step: str = "", output: str = "") -> None:
        """Note how a call that had begun has ended; its output only if it has a step. Raises OSError."""
        if not self._path:
            return
        kept = "" if not step else bounded(output) if self._room > 0 else _NOT_KEPT
        size = self._write(
            CallEnded(
                call=call, attempt=self._attempt, request=request, step=step, outcome=outcome, output=kept
            )
        )
        self._room -= size if kept else 0

    def note(self, step: str, output: str) -> None:
        """Note that a step which calls no tool has been taken. Raises NotNoted, OSError."""
        name = f"step-{step}"
        self.begin(name, "", step=step)
        self.end(name, "succeeded", step=step, output=output)

    def close(self) -> None:
        """Close the file. Idempotent."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def _write(self, entry: CallLine) -> int:
        """Write one line at once and give its size. What an earlier write has torn is ended first."""
        if self._descriptor < 0:
            self._open()
        line = _encode(entry) + b"\n"
        if self._is_torn:
            line = b"\n" + line
        self._is_torn = True
        if os.write(self._descriptor, line) != len(line):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self._is_torn = False
        return len(line)

    def _open(self) -> None:
        descriptor = os.open(self._path, _FLAGS, 0o600)
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            os.close(descriptor)
            raise OSError(errno.EINVAL, "it is no regular file")
        self._descriptor = descriptor
        self._is_torn = status.st_size > 0  # an attempt before this one may have died over its last line


def journal_for(start: Start) -> CallJournal:
    """Give the journal that a start asks for: none without a session."""
    if not start.session:
        return CallJournal()
    return CallJournal(str(call_log_of(start.session, start.worker)), start.attempt)
