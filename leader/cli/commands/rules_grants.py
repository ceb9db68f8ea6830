"""`swarm rules grants`: the rules that people granted in a session."""

from typing import TYPE_CHECKING

from swarm.leader.cli import output
from swarm.leader.cli.options import JsonOption, SessionArgument

if TYPE_CHECKING:
    from swarm.leader.core.views import GrantView


def command(session: SessionArgument = None, as_json: JsonOption = False) -> None:
    """List the rules that were granted in a session and are still in force.

    Of a session that has ended these are the ones that stand in settings files.
    """
    import msgspec

    from swarm.leader.cli.granting import standing_grants

    grants = standing_grants(session)
    for grant in grants:
        if as_json:
            output.json_line(msgspec.to_builtins(grant))
        else:
            output.line(_line(grant))
    if not grants and not as_json:
        output.message("No rule that was granted there is in force.")


def _line(grant: "GrantView") -> str:
    from swarm.leader.cli.moments import moment
    from swarm.leader.headless.lines import badge, one_line

    whom = badge(grant.worker) if grant.worker else "all"
    ends = [f"until {moment(grant.expires)}"] if grant.expires is not None else []
    ends += [f"{grant.uses} more calls"] if grant.uses is not None else []
    place = one_line(grant.file, 300) or grant.layer
    limits = ", ".join(ends) or ("until it is removed" if grant.file else "until the session ends")
    rule = f"{grant.behavior} {one_line(grant.rule, 300)}"
    by = one_line(grant.by or "a person", 100)
    return f"{grant.number:>3}  {rule}  for {whom}  {place}  {limits}  by {by}, {moment(grant.at)}"
