"""`swarm resume`: goes on with a session whose leader died, or opens a screen on one that runs."""

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
    """Go on with a session whose leader died: adopt what lives, start the rest again, show what waits.

    Of one that runs, on a terminal, it opens a screen, which can be left without an end of the run.
    """
    from swarm.leader.cli.loading import without_collection

    with without_collection():
        from swarm.leader.cli.fronts import choose_front
        from swarm.leader.cli.interrupted import session_to_look_at, session_to_resume
        from swarm.leader.cli.resuming import lead_on
        from swarm.permissions.model import Mode

    front = choose_front(headless, as_json)
    running = session_to_look_at(session) if front.with_terminal and not (on_ask or mode) else None
    if running is not None:
        from swarm.leader.cli.joining import open_screen

        code = open_screen(running)
    else:
        meant = session_to_resume(session)
        code = lead_on(meant, front, on_ask=on_ask, mode=Mode(mode) if mode else None)
    if code:
        raise typer.Exit(code)
