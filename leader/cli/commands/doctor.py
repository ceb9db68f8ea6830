"""`swarm doctor`: what is usable on this machine, how to mend what is not, and a bundle for bug reports."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from swarm.leader.cli import output
from swarm.leader.cli.options import JsonOption

if TYPE_CHECKING:
    from swarm.leader.cli.findings import Finding


def command(
    file: Annotated[
        Path | None,
        typer.Argument(metavar="FILE", help="With --bundle: where it is written. It must not exist."),
    ] = None,
    bundle: Annotated[
        bool, typer.Option("--bundle", help="Write an archive for a bug report, without what looks secret.")
    ] = False,
    session: Annotated[
        str | None,
        typer.Option("--session", metavar="ID", help="With --bundle: the session. Without it: the newest."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Check what a run needs on this machine, and say how to mend what is missing."""
    from swarm.leader.cli.checks import CHECKS

    if not bundle and (file is not None or session is not None):
        raise typer.BadParameter("A file or a session is given only with --bundle.")
    findings = [check() for check in CHECKS]
    if bundle:
        _write_bundle(file, session, findings, as_json)
    elif _show(findings, as_json):
        output.message("Something is missing that every run needs.")
        raise typer.Exit(1)


def _show(findings: Sequence["Finding"], as_json: bool) -> bool:
    """Print what was found, and say whether something is missing that every run needs."""
    from dataclasses import asdict

    from swarm.leader.hostile import escape

    for finding in findings:
        if as_json:
            output.json_line(asdict(finding))
            continue
        word = "usable" if finding.usable else ("missing" if finding.needed else "without")
        output.line(f"{finding.name:<13} {word:<8} {escape(finding.found)}")
        if finding.advice and (not finding.usable or finding.name == "terminal"):
            output.line(f"{'':<22} {escape(finding.advice)}")
    return any(finding.needed and not finding.usable for finding in findings)


def _write_bundle(
    file: Path | None, session: str | None, findings: Sequence["Finding"], as_json: bool
) -> None:
    """Write the archive and say what is in it. Raises BundleNotWritten and what finding a session does."""
    import os
    import time
    from dataclasses import asdict

    from swarm.leader.bundle.archive import write_archive
    from swarm.leader.bundle.contents import Report
    from swarm.leader.cli.leading import program
    from swarm.leader.errors import NoSession
    from swarm.leader.hostile import escape
    from swarm.leader.session.stored import find_session

    try:
        stored = find_session(session)
    except NoSession:
        stored = None
    path = file or Path(time.strftime("swarm-bundle-%Y%m%d-%H%M%S.tar.gz"))
    members = Report(program(), os.environ, [asdict(one) for one in findings], stored).members()
    size = write_archive(path, members, time.time())
    if as_json:
        output.json_line({"file": str(path), "size": size, "members": [member.name for member in members]})
    else:
        output.lines(f"{len(member.text):>9}  {escape(member.name)}" for member in members)
    output.message(f"Wrote {escape(str(path))} ({size:,} bytes). Look through it before you send it.")
