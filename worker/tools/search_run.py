"""Runs a search in a process of its own and hands on its lines. The process never outlives the call."""

import subprocess
import sys
from collections.abc import Callable, Sequence

import anyio
import msgspec
from anyio.abc import ByteReceiveStream

from swarm.worker.errors import InvalidInput, ToolError
from swarm.worker.tools.base import ToolContext

TIME_LIMIT = 20.0
"""How long a search may take, in seconds."""

_LINE_CAP = 64 * 1024 * 1024
_ERROR_CAP = 4_000
_REFUSED = 2

TakeLine = Callable[[bytes], bool]
"""Takes one line of output, and tells whether it wants more."""


def own_program(job: msgspec.Struct) -> list[str]:
    """Give the argument list of our own search program."""
    words = [sys.executable, "-E", "-P", "-m", "swarm.worker.tools.search_program"]
    return [*words, msgspec.json.encode(job).decode()]


async def run_search(
    arguments: Sequence[str], context: ToolContext, take: TakeLine, limit: float = TIME_LIMIT
) -> str:
    """Run a search until it ends, nobody wants more or the time is over; give a note about the latter.

    Raises InvalidInput with the program's own words if it refused its job.
    """
    try:
        process = await anyio.open_process(
            arguments, stdin=subprocess.DEVNULL, cwd=context.cwd, env=context.env
        )
    except (OSError, ValueError) as error:
        raise ToolError(f"The search could not be started in {context.cwd}: {error}.") from error
    errors = bytearray()
    async with process:
        assert process.stdout is not None
        assert process.stderr is not None
        with anyio.move_on_after(limit) as scope:
            async with anyio.create_task_group() as group:
                group.start_soon(_keep, process.stderr, errors)
                wants_more = await _hand_on(process.stdout, take)
                if not wants_more:
                    process.kill()
            if await process.wait() == _REFUSED and wants_more:
                text = errors.decode("utf-8", "replace").strip()
                raise InvalidInput(f"The search was refused: {text}. Correct the pattern or the path.")
        if scope.cancelled_caught:
            process.kill()
            return f"The search was ended after {limit:g} s. Narrow the pattern or the path."
    return ""


async def _keep(stream: ByteReceiveStream, kept: bytearray) -> None:
    """Read all of a stream, or its writer would stop, and keep its beginning."""
    async for chunk in stream:
        kept += chunk[: _ERROR_CAP - len(kept)]


async def _hand_on(stream: ByteReceiveStream, take: TakeLine) -> bool:
    rest = bytearray()
    async for chunk in stream:
        *whole, last = chunk.split(b"\n")
        for piece in whole:
            if not take(bytes(rest) + piece):
                return False
            rest.clear()
        rest += last
        if len(rest) > _LINE_CAP:
            return False
    return True
