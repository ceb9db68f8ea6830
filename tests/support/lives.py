"""A worker that lives in the test's own event loop, with a tool that notes what it ran."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import anyio
import msgspec

from support.working import FakeLeader
from swarm.ipc.memory import channel_pair
from swarm.ipc.messages import (
    Preview,
)
from swarm.permissions.model import Decision
from swarm.worker.runtime import Runtime
from swarm.worker.tools.base import Prepared, Tool, ToolContext, ToolOutput


class Anything(msgspec.Struct):
    """Any command."""

    command: str = ""


@dataclass
class NotingTool:
    """Notes that it ran; the command `wait` never ends, `stubborn` not until its release, nor `flood`.

    `floods` is how often that one prints how many characters.
    """

    name: ClassVar[str] = "Bash"
    input_type: type[Anything] = Anything
    ran: list[str] = field(default_factory=list)
    cancelled: list[str] = field(default_factory=list)
    env: dict[str, str] = field(default_factory=dict)
    floods: tuple[int, int] = (0, 0)
    release: anyio.Event = field(default_factory=anyio.Event)

    def check_permissions(self, arguments: Anything, context: ToolContext) -> Decision | None:
        return None

    async def prepare(self, arguments: Anything, context: ToolContext) -> Prepared:
        return Prepared(Preview(title=arguments.command))

    async def run(self, arguments: Anything, prepared: Prepared, context: ToolContext) -> ToolOutput:
        self.ran.append(arguments.command)
        self.env.update(context.env)
        if arguments.command == "wait":
            try:
                await anyio.sleep_forever()
            finally:
                self.cancelled.append(arguments.command)
        if arguments.command == "flood":
            await self.release.wait()
            for _ in range(self.floods[0]):
                await context.emit("x" * self.floods[1])
        if arguments.command == "stubborn":
            with anyio.CancelScope(shield=True):
                await self.release.wait()
        return ToolOutput(text=f"ran {arguments.command}")


@dataclass
class Scene:
    """A running worker and its leader."""

    leader: FakeLeader
    tool: NotingTool
    sent: list[bool] = field(default_factory=list)
    forced: list[str] = field(default_factory=list)


@asynccontextmanager
async def living(cwd: Path) -> AsyncIterator[Scene]:
    """Let a worker live; at the end its leader goes, and with it the worker."""
    leaders, workers = channel_pair()
    made = Scene(FakeLeader(leaders, cwd), NotingTool())

    def find(name: str) -> Tool[Any]:
        return made.tool

    async def live() -> None:
        runtime = Runtime(workers, lambda: made.forced.append("forced"), find)
        made.sent.append(await runtime.run())

    async with anyio.create_task_group() as group:
        group.start_soon(live)
        yield made
        await leaders.aclose()
