"""The one door for fatal errors: what is raised becomes a message and an exit code."""

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from swarm.leader.cli import output

FAILED = 1
USAGE = 2
INTERRUPTED = 130
BROKEN_PIPE = 141
"""What a shell shows for a program that SIGPIPE ended."""


def run_behind(command: Callable[[], None]) -> int:
    """Run `command` and give the exit code, whatever it raises."""
    try:
        command()
    except SystemExit as ended:
        return _code_of(ended)
    except BaseException as error:
        return explain(single_cause(error))
    return 0


def _code_of(ended: SystemExit) -> int:
    if ended.code is None or isinstance(ended.code, int):
        return ended.code or 0
    output.message(str(ended.code))
    return FAILED


def single_cause(error: BaseException) -> BaseException:
    """Give the one error inside of nested groups; of several the first, if all are known ones."""
    from swarm.leader.errors import LeaderError

    if not isinstance(error, BaseExceptionGroup):
        return error
    causes = list(_leaves(error))
    if len(causes) == 1 or all(isinstance(cause, LeaderError) for cause in causes):
        return causes[0]
    return error


def _leaves(error: BaseException) -> Iterator[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            yield from _leaves(inner)
    else:
        yield error


def explain(error: BaseException) -> int:
    """Tell the person what went wrong, and give the exit code."""
    from swarm.leader.errors import LeaderError
    from swarm.leader.hostile import escape
    from swarm.permissions.errors import PermissionsError

    match error:
        case KeyboardInterrupt():
            output.message("Interrupted.")
            return INTERRUPTED
        case BrokenPipeError():
            output.drop_stdout()
            return BROKEN_PIPE
        case LeaderError():
            output.message(f"swarm: {escape(str(error), keep_newlines=True)}")
            return error.exit_code
        case PermissionsError():
            output.message(f"swarm: {escape(str(error), keep_newlines=True)}")
            return USAGE
        case _:
            for line in describe_unexpected(error):
                output.message(line)
            return FAILED


def describe_unexpected(error: BaseException) -> Iterator[str]:
    """Say in short what failed, and where the trace is that this writes."""
    from swarm.leader.hostile import escape

    text = escape(f"{type(error).__name__}: {error}"[:500])
    yield f"swarm: This should not have happened: {text}"
    try:
        yield f"The details are in {_write_trace(error)}; please report them."
    except OSError as problem:
        yield f"The details could not be written ({problem.strerror})."


def _write_trace(error: BaseException) -> Path:
    """Write the trace to a private file of its own in the state folder. Raises OSError."""
    import traceback

    from swarm import program_version
    from swarm.leader.session.places import state_folder

    folder = state_folder(os.environ) / "errors"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / f"{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.log"
    trace = "".join(traceback.format_exception(error))
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8", errors="backslashreplace") as file:
        file.write(f"swarm {program_version()}\n{trace}")
    return path
