"""`swarm pending`: what waits for a decision in the running sessions, whole."""

from typing import TYPE_CHECKING

import typer

from swarm.leader.cli import output
from swarm.leader.cli.options import JsonOption, RunningArgument

if TYPE_CHECKING:
    from swarm.leader.control.remote import RemoteClient
    from swarm.leader.core.views import OfferPreview, TeamView
    from swarm.leader.session.stored import StoredSession


def command(session: RunningArgument = None, as_json: JsonOption = False) -> None:
    """Show the requests that wait for you, with all that you need to decide."""
    from swarm.leader.cli.interrupted import is_interrupted
    from swarm.leader.cli.reaching import running_session, running_sessions
    from swarm.leader.session.stored import find_session

    meant = running_sessions() if session is None else []
    if not meant:
        found = find_session(session)
        if is_interrupted(found):
            _show_interrupted(found)
            raise typer.Exit(1)
        meant = [running_session(session)]
    waiting = sum(_show(found.id, as_json) for found in meant)
    if not waiting and not as_json:
        output.message("Nothing waits for a decision.")


def _show_interrupted(session: "StoredSession") -> None:
    """Say what waits in a session that nobody leads: it can be answered once somebody does again."""
    from swarm.leader.cli.interrupted import waiting_lines

    output.message(f"{session.id} was interrupted: its leader died, so nobody takes an answer now.")
    for line in waiting_lines(session):
        output.message(line)
    output.message(f"To go on with it and answer: swarm resume {session.id}")


def _show(session_id: str, as_json: bool) -> int:
    """Show what waits in one session and give how much it is."""
    import time

    from swarm.leader.cli.answering import previews
    from swarm.leader.cli.cards import card, card_object
    from swarm.leader.cli.reaching import ask_leader

    async def look(remote: "RemoteClient") -> "tuple[TeamView, dict[tuple[str, str], OfferPreview]]":
        team = await remote.team()
        return team, await previews(remote, team.queue)

    team, tried = ask_leader(session_id, look)
    for request in team.queue:
        if as_json:
            output.json_line(card_object(request, team.session_id, tried))
        else:
            output.painted(card(request, team.session_id, time.time(), output.width(), tried))
    return len(team.queue)
