"""The program as tests call it, and sessions for it to reach."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import anyio
import anyio.to_thread

from swarm.leader.control.server import serve_control
from swarm.leader.core.fake_client import FakeClient
from swarm.leader.plan.resolved import TeamPlan
from swarm.leader.session.folder import Session, create_session

PLAN = TeamPlan(name="checks", file=Path("/project/plan.yaml"), workers=())


@dataclass(frozen=True)
class Ran:
    """The exit code and what was printed."""

    code: int
    out: str
    err: str


Swarm = Callable[..., Ran]
Shell = Callable[..., Awaitable[Ran]]


@asynccontextmanager
async def running(client: FakeClient, swarm: Swarm) -> AsyncIterator[tuple[Session, Shell]]:
    """Serve a session of this process, and give the program as another shell would call it."""

    async def shell(*arguments: str) -> Ran:
        return await anyio.to_thread.run_sync(partial(swarm, *arguments))

    with create_session(PLAN, "swarm") as session:
        client.change_team(session_id=session.id)
        async with serve_control(client, session.control):
            with anyio.fail_after(30):
                yield session, shell
