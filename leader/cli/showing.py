"""Shows a request to whoever is about to allow it and has not said which one they saw."""

import sys
import time

import typer

from swarm.leader.cli import output
from swarm.leader.cli.answering import short_digest
from swarm.leader.cli.cards import card
from swarm.leader.cli.errors import NotSeen
from swarm.leader.core.views import RequestView


def show_and_confirm(request: RequestView, session_id: str) -> str:
    """Show the whole request, ask, and give its digest.

    Ids like `r1` come again in every session, so an id alone says nothing of what was seen. Raises
    NotSeen where nobody can be asked, typer.Exit if the answer is no.
    """
    if not output.is_terminal(sys.stdin, sys.stdout):
        answer = f"swarm approve {request.id} --session {session_id} --digest {short_digest(request)}"
        raise NotSeen(request.id, answer)
    output.painted(card(request, session_id, time.time(), output.width()))
    if not typer.confirm("Allow exactly this?", default=False, err=True):
        raise typer.Exit(1)
    return request.digest
