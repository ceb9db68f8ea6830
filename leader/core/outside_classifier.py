"""A classifier that is a program of the person's own: asked with a line of JSON, answers in time or not.

Whatever it does wrong makes it unsure; it can never allow what a rule or a guard decides.
"""

import os
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from subprocess import DEVNULL
from typing import Final

import anyio
import anyio.abc
import msgspec

from swarm.leader.core.processes import MARK, end_tree
from swarm.permissions.model import Request
from swarm.permissions.speculation import LIMIT, Classifier, Opinion

OUTPUT_CAP: Final = 64 * 1024
"""How many bytes the program may say."""
INPUT_CAP: Final = 1024 * 1024
"""How long the line may be that it gets, in bytes; a longer request is the person's."""
AT_ONCE: Final = 4
"""How many of its processes run at once; further requests wait, and their time runs."""
WHY_CAP: Final = 500


class _Answer(msgspec.Struct, frozen=True):
    """What the program says."""

    safe: bool
    why: str = ""


class _Bad(Exception):
    """The program did not do as it should; the text is a clause that says what."""


class OutsideClassifier:
    """Runs `command` in `folder` for each request, as a process tree of its own; `mark` names these."""

    def __init__(self, command: Sequence[str], folder: Path, mark: str, *, limit: float = LIMIT) -> None:
        self._command = tuple(command)
        self._folder = folder
        self._mark = mark
        self._limit = limit
        self._slots = anyio.Semaphore(AT_ONCE)
        self._count = 0

    def __repr__(self) -> str:
        return f"<OutsideClassifier {self._command[0]} asked={self._count}>"

    async def ask(self, worker: str, request: Request) -> Opinion:
        """Give its opinion within the limit; whatever goes wrong is an opinion that failed."""
        name = Path(self._command[0]).name
        try:
            with anyio.fail_after(self._limit):
                async with self._slots:
                    answer = await self._run(request_line(worker, request))
        except TimeoutError:
            problem = f"gave no answer within {self._limit:g} s"
        except _Bad as error:
            problem = str(error)
        else:
            why = "".join(sign if sign.isprintable() else " " for sign in answer.why[:WHY_CAP])
            return Opinion(answer.safe, f"{name}: {why}" if why else name, by=name)
        return Opinion(False, f"the classifier {name} {problem}", by=name, failed=True)

    async def _run(self, line: bytes) -> _Answer:
        self._count += 1
        mark = f"{self._mark}/{self._count}"
        try:
            process = await anyio.open_process(
                self._command,
                stderr=DEVNULL,
                cwd=self._folder,
                env={**os.environ, MARK: mark},
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise _Bad(f"cannot be started ({error})") from None
        went_well = False
        try:
            answer = _read_answer(await _converse(process, line))
            went_well = True
            return answer
        finally:
            with anyio.CancelScope(shield=True):
                await _end(process, mark, went_well)


def outside_classifier(command: Sequence[str], folder: Path, session_id: str) -> OutsideClassifier | None:
    """Give the classifier of a session, if one is named."""
    return OutsideClassifier(command, folder, f"{session_id}/classifier") if command else None


def request_line(worker: str, request: Request) -> bytes:
    """Give the line that the program gets. Raises _Bad."""
    asked = {
        "v": 1,
        "worker": worker,
        "tool": request.tool,
        "input": dict(request.input),
        "cwd": request.cwd,
    }
    line = msgspec.json.encode(asked) + b"\n"
    if len(line) > INPUT_CAP:
        raise _Bad("was not asked: the request is too long")
    return line


async def _converse(process: anyio.abc.Process, line: bytes) -> bytes:
    """Give the line, take all that is said, and wait for the end. Raises _Bad."""
    assert process.stdin is not None
    assert process.stdout is not None
    said = b""
    async with anyio.create_task_group() as group:
        group.start_soon(_tell, process.stdin, line)
        async for block in process.stdout:
            said += block
            if len(said) > OUTPUT_CAP:
                break
        group.cancel_scope.cancel()
    if len(said) > OUTPUT_CAP:
        raise _Bad(f"said more than {OUTPUT_CAP // 1024} KiB")
    code = await process.wait()
    if code:
        raise _Bad(f"ended with {code}")
    return said


async def _tell(stdin: anyio.abc.ByteSendStream, line: bytes) -> None:
    with suppress(OSError, anyio.BrokenResourceError, anyio.ClosedResourceError):
        await stdin.send(line)
        await stdin.aclose()


def _read_answer(said: bytes) -> _Answer:
    try:
        return msgspec.json.decode(said, type=_Answer)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        raise _Bad('did not answer {"safe": true or false, "why": "…"}') from None


async def _end(process: anyio.abc.Process, mark: str, went_well: bool) -> None:
    """End all that it started. What left its group is looked for only where it misbehaved: that is slow."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    if not went_well:
        await end_tree(process.pid, mark, grace=0)
    with suppress(ProcessLookupError):
        process.kill()
    await process.aclose()


class FirstSafe:
    """Satisfies Classifier: asks the quick one, and the outside one only where that is unsure.

    `is_open` says whether nothing but the lack of a rule asks, so that another may be heard at all.
    """

    def __init__(
        self,
        quick: Classifier,
        outside: OutsideClassifier,
        worker: str,
        is_open: Callable[[Request], bool],
    ) -> None:
        self._quick = quick
        self._outside = outside
        self._worker = worker
        self._is_open = is_open

    async def classify(self, request: Request) -> Opinion:
        """Give the first opinion that is sure, or the last."""
        opinion = await self._quick.classify(request)
        if opinion.safe or not self._is_open(request):
            return opinion
        return await self._outside.ask(self._worker, request)
