"""`swarm continue`: goes on with the newest session whose leader died."""

from swarm.leader.cli.options import EventsOption, HeadlessOption, ModeAgainOption, OnAskAgainOption


def command(
    headless: HeadlessOption = False,
    as_json: EventsOption = False,
    on_ask: OnAskAgainOption = None,
    mode: ModeAgainOption = None,
) -> None:
    """Go on with the newest session whose leader died; see `swarm resume`."""
    from swarm.leader.cli.commands.resume import command as resume
    from swarm.leader.cli.interrupted import newest_interrupted

    resume(newest_interrupted().id, headless=headless, as_json=as_json, on_ask=on_ask, mode=mode)
