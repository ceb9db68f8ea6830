"""`swarm show`: how a session went or goes, from its journal."""

from typing import TYPE_CHECKING

import typer

from swarm.leader.cli import output
from swarm.leader.cli.options import JsonOption, SessionArgument

if TYPE_CHECKING:
    from swarm.leader.session.history import History


def command(session: SessionArgument = None, as_json: JsonOption = False) -> None:
    """Show how a session went: workers, decisions, what was denied, notices."""
    from swarm.leader.cli.story import story_lines, story_object
    from swarm.leader.errors import JournalBroken
    from swarm.leader.session.history import History
    from swarm.leader.session.reading import read_journal
    from swarm.leader.session.stored import find_session, is_alive

    stored = find_session(session)
    history, problem = History(), ""
    with read_journal(stored.journal) as reading:
        try:
            for record in reading:
                history.add(record)
        except JournalBroken as broken:
            problem = str(broken)
    state = _state(history, is_alive(stored))
    if as_json:
        output.json_line(story_object(stored.id, state, problem, reading.torn, history))
    else:
        output.lines(story_lines(stored.id, state, history))
    if state == "interrupted" and not as_json:
        output.message(f"Its leader died. To go on with it: swarm resume {stored.id}")
    if reading.torn and not is_alive(stored):
        output.message(
            f"The journal ends in an unfinished line of {reading.torn} bytes, which does not count."
        )
    if problem:
        output.message(problem)
        raise typer.Exit(1)


def _state(history: "History", alive: bool) -> str:
    if alive:
        return "running"
    return f"ended, exit {history.ended.exit_code}" if history.ended else "interrupted"
