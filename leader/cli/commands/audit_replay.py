"""`swarm audit replay`: what other rules would have decided in a past session."""

from pathlib import Path
from typing import Annotated

import typer

from swarm.leader.cli import output
from swarm.leader.cli.options import JsonOption, ModeWord, SessionArgument


def command(
    rules: Annotated[
        Path, typer.Option("--rules", metavar="FILE", help="A settings file, or a plan (.yaml).")
    ],
    session: SessionArgument = None,
    mode: Annotated[
        ModeWord | None, typer.Option("--mode", help="The mode, instead of the file's or the session's.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Decide every call of a past session again under other rules, and print the differences.

    Ends with 1 if a call would run now without a question that was asked about or denied then. The
    rules see the disk as it is now.
    """
    from swarm.leader.audit.decisions import decisions
    from swarm.leader.audit.lines import replay_lines, replay_objects
    from swarm.leader.audit.other_rules import judge_of
    from swarm.leader.audit.reading import session_start
    from swarm.leader.audit.replay import replay
    from swarm.leader.session.reading import read_journal
    from swarm.leader.session.stored import find_session
    from swarm.permissions.model import Mode

    stored = find_session(session)
    started = session_start(stored.journal)
    project = Path(started.plan_file).absolute().parent
    judge = judge_of(rules, project, stored.folder, Mode(mode) if mode else None, started.mode)
    with read_journal(stored.journal) as reading:
        found = replay(decisions(reading), judge)
    if as_json:
        for item in replay_objects(found):
            output.json_line(item)
    else:
        output.lines(replay_lines(found))
    if found.unasked:
        raise typer.Exit(1)
