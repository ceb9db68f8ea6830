"""Stops workers and sends to them from another shell, and says what becomes of that."""

from typing import TYPE_CHECKING

from swarm.leader.core.views import TeamView, WorkerView

if TYPE_CHECKING:
    from swarm.leader.control.remote import RemoteClient


async def stop_unless_ended(remote: "RemoteClient", worker: str | None) -> str:
    """Stop a worker, or the team; give the sentence that says why there was nothing to stop, or none.

    Raises what the client interface raises.
    """
    team = await remote.team()
    if worker is None and team.exit_code is not None:
        return f"The run has ended already, with {team.exit_code}; there was nothing to stop."
    found = _find(team, worker)
    if found is not None and found.phase.ended:
        return f"{found.name} has ended already ({found.phase}); there was nothing to stop."
    await remote.stop(worker)
    return ""


async def set_paused(remote: "RemoteClient", worker: str | None, paused: bool) -> str:
    """Pause a worker, or the team, or let it go on; give the sentence that says why not, or none.

    Raises what the client interface raises.
    """
    found = _find(await remote.team(), worker)
    if found is not None and found.phase.ended:
        return f"{found.name} has ended already ({found.phase})."
    await (remote.pause(worker) if paused else remote.unpause(worker))
    return ""


async def send_text(remote: "RemoteClient", worker: str, text: str) -> str:
    """Send to a worker and give the sentence that says so. Raises what the client interface raises."""
    await remote.send(worker, text)
    found = _find(await remote.team(), worker)
    if found is not None and found.kind == "script":
        return f"Sent to {worker}, which is a script: it only logs messages and does not act on them."
    return f"Sent to {worker}."


def _find(team: TeamView, name: str | None) -> WorkerView | None:
    return next((worker for worker in team.workers if worker.name == name), None)
