"""`swarm audit verify`: whether a session's journal is whole."""

from typing import Annotated

import typer

from swarm.leader.cli import output
from swarm.leader.cli.options import JsonOption, SessionArgument


def command(
    session: SessionArgument = None,
    expect: Annotated[
        str,
        typer.Option("--expect", metavar="HASH", help="A last hash that was kept elsewhere."),
    ] = "",
    as_json: JsonOption = False,
) -> None:
    """Find every changed, removed, reordered or cut off entry of a session's journal.

    Ends with 1 if anything is wrong. A journal without its session's end is told apart from a whole one,
    but is no fault: that is what a killed leader leaves.
    """
    import msgspec

    from swarm.leader.audit.findings import end_of, sound, verification_lines
    from swarm.leader.audit.reading import verify_journal
    from swarm.leader.session.stored import find_session, is_alive

    if expect and (len(expect) < 12 or not set(expect.lower()) <= set("0123456789abcdef")):
        raise typer.BadParameter(
            "a hash is at least 12 of its 64 digits 0-9 and a-f", param_hint="--expect"
        )
    stored = find_session(session)
    found = verify_journal(stored.journal, expect.lower())
    alive = is_alive(stored)
    if as_json:
        fields = msgspec.to_builtins(found)
        output.json_line(
            {"session": stored.id, "sound": sound(found), "end": end_of(found, alive), **fields}
        )
    else:
        output.lines(verification_lines(stored.id, found, alive))
    if not sound(found):
        raise typer.Exit(1)
