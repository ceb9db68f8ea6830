"""`swarm ls`: the sessions on this machine."""

import time
from typing import TYPE_CHECKING, Annotated

import typer

from swarm.leader.cli import output
from swarm.leader.cli.options import JsonOption

if TYPE_CHECKING:
    from swarm.leader.session.stored import StoredSession

INTERRUPTED = "interrupted"
SHOWN_ENDED = 10
"""How many ended sessions are listed without `--all`."""


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


def _state(session: "StoredSession", alive: bool) -> tuple[str, int | None]:
    """Give `running`, `ended` with its exit code, or `interrupted` if the leader died before its end."""
    from swarm.leader.cli.interrupted import exit_code_of

    if alive:
        return "running", None
    exit_code = exit_code_of(session)
    return (INTERRUPTED, None) if exit_code is None else ("ended", exit_code)
