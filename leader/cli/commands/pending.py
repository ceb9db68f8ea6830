"""`swarm pending`: what waits for a decision in the running sessions, whole."""

from swarm.leader.cli import output
from swarm.leader.cli.options import JsonOption, RunningArgument


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

    from swarm.leader.cli.cards import card, card_object
    from swarm.leader.cli.reaching import ask_leader

    team = ask_leader(session_id, lambda remote: remote.team())
    for request in team.queue:
        if as_json:
            output.json_line(card_object(request, team.session_id))
        else:
            output.painted(card(request, team.session_id, time.time(), output.width()))
    return len(team.queue)
