"""Puts in force what another leader left: grants, requests that wait, and the ends of what has died."""

import time
from collections.abc import Mapping
from functools import partial

from swarm.ipc.messages import PermissionResponse
from swarm.leader.core.adopted import end_all_remains, find_process, wake
from swarm.leader.core.approvals import Approvals
from swarm.leader.core.house import LeaderHouse
from swarm.leader.core.left import Left
from swarm.leader.core.resumption import DIED, Resumption, resume_team
from swarm.leader.core.supervisor import Supervisor
from swarm.leader.core.team import first_state
from swarm.leader.plan.resolved import TeamPlan


def find_team(plan: TeamPlan, left: Left | None, session_id: str) -> Resumption:
    """Give the team to lead: a new one, or what is left of one, with its processes that live."""
    now = time.time()
    if left is None:
        return Resumption(first_state(plan, now))
    return resume_team(plan, left.workers, session_id, now, find_process)


async def take_over(
    left: Left,
    team: Resumption,
    approvals: Approvals,
    house: LeaderHouse,
    supervisor: Supervisor,
    colors: Mapping[str, str],
) -> None:
    """Show again what waits, wake who was paused, end what the dead have left, and their requests with it.

    A request of a worker that lives keeps its answer until the worker has said hello.
    """
    await end_all_remains(dict(team.dead))
    for name, process in team.found.items():
        if await wake(process.pid, f"{left.started.session_id}/{name}/{team.state.workers[name].attempt}"):
            house.worker_paused(name, False)
    known = set(team.state.workers)
    respond = {name: partial(_respond, supervisor, name) for name in known}
    approvals.restore(left, colors, respond)
    for name in team.state.workers:
        if name not in team.found:
            house.worker_gone(name, DIED, expected=True)
    for name, why in team.changed.items():
        house.phase_changed(team.state.workers[name], why)


def _respond(supervisor: Supervisor, worker: str, response: PermissionResponse) -> None:
    link = supervisor.link(worker)
    if link is not None:
        link.respond(response)
