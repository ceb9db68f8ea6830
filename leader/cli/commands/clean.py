"""`swarm clean`: removes sessions that are over."""

import time
from typing import TYPE_CHECKING, Annotated

import typer

from swarm.leader.cli import output
from swarm.leader.cli.options import JsonOption

if TYPE_CHECKING:
    from swarm.leader.session.removal import Remains

UNITS = {"d": 86_400, "h": 3_600, "w": 604_800}
"""What may stand behind the number of `--older-than`, in seconds."""


def parse_age(text: str) -> float:
    """Give an age such as 30d, 12h or 2w in seconds; a number alone counts days."""
    number, unit = (text[:-1], text[-1]) if text[-1:] in UNITS else (text, "d")
    if not number.isascii() or not number.isdigit():
        raise typer.BadParameter(
            "an age is a number with d, h or w, such as 30d", param_hint="--older-than"
        )
    return float(number) * UNITS[unit]


def command(
    older_than: Annotated[
        str, typer.Option("--older-than", metavar="AGE", help="Ended before that: 30d, 12h, 2w.")
    ] = "30d",
    keep: Annotated[int, typer.Option("--keep", min=0, help="Keep so many of the newest in any case.")] = 0,
    sessions: Annotated[
        list[str] | None,
        typer.Option(
            "--session",
            metavar="ID",
            help="Remove just this one, however old, also if it was interrupted. May be repeated.",
        ),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be removed.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Remove old sessions that have ended, with their journals. Never one that runs or could go on.

    Ends with 1 if one could not be removed.
    """
    age = parse_age(older_than)
    chosen = _named(sessions) if sessions else _old(age, keep)
    _list(chosen, as_json, dry_run)
    if dry_run or not chosen:
        return
    if not (yes or _confirmed()):
        raise typer.Exit(1)
    removed = [_remove(remains) for remains in chosen]
    if not all(removed):
        raise typer.Exit(1)


def _named(ids: list[str]) -> list["Remains"]:
    from swarm.leader.session.removal import remains_of
    from swarm.leader.session.stored import find_session

    found = {session.id: session for session in map(find_session, ids)}
    return [remains_of(session) for session in found.values()]


def _old(age: float, keep: int) -> list["Remains"]:
    """Give the sessions that ended so long ago, the newest first, but for the newest of all ended ones."""
    from swarm.leader.errors import StateFolderError
    from swarm.leader.session.removal import remains_of
    from swarm.leader.session.stored import is_alive, list_sessions

    ended = []
    for session in list_sessions():
        try:
            remains = None if is_alive(session) else remains_of(session)
        except StateFolderError as error:  # just removed by another, or not to be read
            output.message(str(error))
            continue
        if remains is not None and remains.has_ended:
            ended.append(remains)
    before = time.time() - age
    return [remains for remains in ended[keep:] if remains.last_at <= before]


def _list(chosen: list["Remains"], as_json: bool, dry_run: bool) -> None:
    from swarm.leader.headless.lines import one_line
    from swarm.leader.tui.ages import age

    for remains in chosen:
        if as_json:
            output.json_line(
                {
                    "session": remains.session.id,
                    "ended": remains.has_ended,
                    "last_at": remains.last_at,
                    "size": remains.size,
                }
            )
        else:
            since = f"{age(time.time() - remains.last_at)} ago"
            size = f"{remains.size / 1e6:.1f} MB"
            output.row(f"{one_line(remains.session.id, 100):<48} {size:>10} {since:>9}")
    count = "1 session" if len(chosen) == 1 else f"{len(chosen)} sessions"
    size = f"{sum(remains.size for remains in chosen) / 1e6:.1f} MB"
    output.message(f"{count}, {size}{' would be removed' if dry_run else ''}.")


def _confirmed() -> bool:
    import sys

    if not output.is_terminal(sys.stdin, sys.stderr):
        output.message("Nothing was removed: nobody can be asked here. Say --yes, or look with --dry-run.")
        return False
    return typer.confirm("Remove all of it for good?", default=False, err=True)


def _remove(remains: "Remains") -> bool:
    """Remove one, and say why if that is not possible."""
    from swarm.leader.errors import LeaderError
    from swarm.leader.hostile import escape
    from swarm.leader.session.removal import remove_leavings, remove_session

    try:
        remove_session(remains.session)
    except LeaderError as error:
        output.message(f"swarm: {escape(str(error), keep_newlines=True)}")
        return False
    remove_leavings(remains.session.folder.parent)
    return True
