"""`swarm ls`: the sessions on this machine."""

import time
from typing import TYPE_CHECKING, Annotated

import typer

from swarm.leader.cli import output
from swarm.leader.cli.options import JsonOption

if TYPE_CHECKING:
    from swarm.leader.control.remote import RemoteClient
    from swarm.leader.core.views import TeamView
    from swarm.leader.session.stored import StoredSession

INTERRUPTED = "interrupted"
SHOWN_ENDED = 10
"""How many ended sessions are listed without `--all`."""
REPLY_LIMIT = 1.0
"""How long a leader may take to say who stands still, in seconds: one that hangs is listed too."""


def command(
    as_json: JsonOption = False,
    everything: Annotated[
        bool, typer.Option("--all", help=f"List all ended sessions, not only the last {SHOWN_ENDED}.")
    ] = False,
) -> None:
    """List the sessions, the newest first."""
    from swarm.leader.session.stored import is_alive, list_sessions

    ended = hidden = 0
    for session in list_sessions():
        alive = is_alive(session)
        ended += not alive
        if not alive and ended > SHOWN_ENDED and not everything:
            hidden += 1
            continue
        _show(session, alive, as_json)
    if hidden:
        output.message(f"{hidden} more have ended; --all lists them.")


def _show(session: "StoredSession", alive: bool, as_json: bool) -> None:
    from swarm.leader.headless.lines import one_line
    from swarm.leader.tui.ages import age

    leader = session.leader
    state, exit_code = _state(session, alive)
    paused, held = _standing_still(session) if alive else ([], {})
    if as_json:
        output.json_line(
            {
                "session": session.id,
                "state": state,
                "exit_code": exit_code,
                "name": leader.name if leader else "",
                "plan": leader.plan_file if leader else "",
                "pid": leader.pid if leader and alive else None,
                "began_at": leader.began_at if leader else None,
                "paused": paused,
                "waits": held,
            }
        )
        return
    ending = f"exit {exit_code}" if exit_code is not None else state
    if state == INTERRUPTED:
        plan_or_way = f"swarm resume {one_line(session.id, 100)}"
    else:
        plan_or_way = one_line(leader.plan_file) if leader else ""
    began = f"{age(time.time() - leader.began_at)} ago" if leader else "?"
    output.row(f"{one_line(session.id, 100):<48} {ending:<11} {began:>8}  {plan_or_way}")


def _standing_still(session: "StoredSession") -> tuple[list[str], dict[str, str]]:
    """Give the workers that are paused, and what others wait for; none if the leader says nothing."""
    import anyio

    from swarm.leader.cli.reaching import ask_leader
    from swarm.leader.core.views import WorkerPhase
    from swarm.leader.errors import LeaderError

    async def look(remote: "RemoteClient") -> "TeamView | None":
        with anyio.move_on_after(REPLY_LIMIT):
            return await remote.team()
        return None

    try:
        team = ask_leader(session.id, look)
    except LeaderError:
        team = None
    if team is None:
        return [], {}
    paused = [worker.name for worker in team.workers if worker.paused]
    waiting = [worker for worker in team.workers if worker.phase is WorkerPhase.WAITING]
    return paused, {worker.name: worker.activity for worker in waiting if worker.activity}


def _state(session: "StoredSession", alive: bool) -> tuple[str, int | None]:
    """Give `running`, `ended` with its exit code, or `interrupted` if the leader died before its end."""
    from swarm.leader.cli.interrupted import exit_code_of

    if alive:
        return "running", None
    exit_code = exit_code_of(session)
    return (INTERRUPTED, None) if exit_code is None else ("ended", exit_code)
