"""The Bash tool: what it takes and what it tells of a command that ran."""

import signal
from pathlib import Path
from typing import Annotated, ClassVar

import msgspec

from swarm.ipc.messages import Preview
from swarm.permissions.model import Behavior, Decision, Reason
from swarm.worker.errors import InvalidInput, ToolError
from swarm.worker.tools.base import Prepared, ToolContext, ToolOutput
from swarm.worker.tools.shell_run import ShellRun, run_shell
from swarm.worker.tools.titles import title

_NUL = "The command holds a NUL character, which no command can. Write it without."


class BashInput(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A shell command. `timeout` is in milliseconds."""

    command: str
    timeout: Annotated[int, msgspec.Meta(ge=1, le=600_000)] = 120_000
    description: str = ""


class BashTool:
    """Runs a shell command to its end; what it leaves in the background is ended with it."""

    name: ClassVar[str] = "Bash"
    input_type: type[BashInput] = BashInput

    def check_permissions(self, arguments: BashInput, context: ToolContext) -> Decision | None:
        if "\0" in arguments.command:
            return Decision(Behavior.DENY, Reason.WORKER_PROXY, _NUL)
        return None

    async def prepare(self, arguments: BashInput, context: ToolContext) -> Prepared:
        if "\0" in arguments.command:
            raise InvalidInput(_NUL)
        if not arguments.command.strip():
            raise InvalidInput("The command is empty. Write what is to be run.")
        return Prepared(Preview(title=title(arguments.command)), pinned=_identity(context.cwd))

    async def run(self, arguments: BashInput, prepared: Prepared, context: ToolContext) -> ToolOutput:
        if _identity(context.cwd) != prepared.pinned:
            raise ToolError(
                f"{context.cwd} is not the folder any more that it was when this call was decided, "
                "so nothing was run. Repeat the call."
            )
        run = await run_shell(arguments.command, arguments.timeout / 1000, context)
        outcome, ending = _ending(run, arguments.timeout / 1000)
        notes = [*([ending] if outcome != "succeeded" else []), *_notes(run)]
        output = run.output.text
        separator = "\n" if output and notes and not output.endswith("\n") else ""
        code = run.status if run.status is not None and run.status >= 0 else None
        return ToolOutput(output + separator + "\n".join(notes), outcome, ending, code)


def _identity(folder: Path) -> tuple[int, int] | None:
    """Tell a folder from any other that takes its name; None if there is none."""
    try:
        status = folder.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _ending(run: ShellRun, limit: float) -> tuple[str, str]:
    """Give the outcome, and a line that tells it."""
    if run.over_time:
        return (
            "interrupted",
            f"Time limit of {limit:g} s reached: the command and all it started were ended.",
        )
    if run.status is None:
        return "interrupted", "The command's exit status could not be had."
    if run.status < 0:
        return "interrupted", f"The command was ended by {_signal_name(-run.status)}."
    return ("failed" if run.status else "succeeded"), f"Exit code {run.status}."


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _notes(run: ShellRun) -> list[str]:
    if run.over_time:
        return []
    held = ["The shell has exited, but a background process kept its output open: it was closed."]
    ended = ["Processes that the command left running were ended."]
    return [*(held if run.is_held else []), *(ended if run.left_running else [])]
