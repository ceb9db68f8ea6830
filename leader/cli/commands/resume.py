"""`swarm resume`: goes on with a session whose leader died."""

import typer

from swarm.leader.cli.options import (
    EventsOption,
    HeadlessOption,
    ModeAgainOption,
    OnAskAgainOption,
    SessionToResumeArgument,
)


def command(
    session: SessionToResumeArgument = None,
    headless: HeadlessOption = False,
    as_json: EventsOption = False,
    on_ask: OnAskAgainOption = None,
    mode: ModeAgainOption = None,
) -> None:
    """Go on with a session whose leader died: adopt what lives, start the rest again, show what waits."""
    from swarm.leader.cli.loading import without_collection

    with without_collection():
        from swarm.leader.cli.fronts import choose_front
        from swarm.leader.cli.interrupted import session_to_resume
        from swarm.leader.cli.resuming import lead_on
        from swarm.permissions.model import Mode

    meant = session_to_resume(session)
    code = lead_on(meant, choose_front(headless, as_json), on_ask=on_ask, mode=Mode(mode) if mode else None)
    if code:
        raise typer.Exit(code)
