"""`swarm pending`: what waits for a decision in a running session, whole."""

from swarm.leader.cli import output
from swarm.leader.cli.options import JsonOption, SessionArgument


def command(session: SessionArgument = None, as_json: JsonOption = False) -> None:
    """Show the requests that wait for you, with all that you need to decide."""
    import time

    from swarm.leader.cli.cards import card, card_object
    from swarm.leader.cli.reaching import ask_leader

    team = ask_leader(session, lambda remote: remote.team())
    for request in team.queue:
        if as_json:
            output.json_line(card_object(request, team.session_id))
        else:
            output.painted(card(request, team.session_id, time.time(), output.width()))
    if not team.queue and not as_json:
        output.message("Nothing waits for a decision.")
