"""`swarm pending`: what waits for a decision in the running sessions, whole."""

from typing import TYPE_CHECKING

from swarm.leader.cli import output
from swarm.leader.cli.options import JsonOption, RunningArgument

if TYPE_CHECKING:
    from swarm.leader.control.remote import RemoteClient
    from swarm.leader.core.views import OfferPreview, TeamView


def command(session: RunningArgument = None, as_json: JsonOption = False) -> None:
    """Show the requests that wait for you, with all that you need to decide."""
    from swarm.leader.cli.reaching import running_session, running_sessions

    meant = running_sessions() if session is None else []
    waiting = sum(_show(found.id, as_json) for found in meant or [running_session(session)])
    if not waiting and not as_json:
        output.message("Nothing waits for a decision.")


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
