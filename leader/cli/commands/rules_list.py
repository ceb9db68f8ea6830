"""`swarm rules list`: the rules in force, each with where it stands."""

from pathlib import Path

from swarm.leader.cli import output
from swarm.leader.cli.options import JsonOption
from swarm.leader.cli.rule_options import PlanOption, SettingsOption, WorkerOption


def command(
    settings: SettingsOption = None,
    plan: PlanOption = None,
    worker: WorkerOption = "",
    as_json: JsonOption = False,
) -> None:
    """List the rules in force, with layer, file and line.

    They are those of the settings files that hold in this folder or, with --plan, beside the plan, and
    the plan's own. Deny comes before ask and ask before allow; else the order means nothing.
    """
    from swarm.leader.headless.lines import one_line
    from swarm.leader.hostile import escape
    from swarm.leader.rules.in_force import find_rules
    from swarm.permissions.model import Behavior

    found = find_rules(Path.cwd(), settings or (), plan, worker)
    order = (Behavior.DENY, Behavior.ASK, Behavior.ALLOW)
    rules = sorted(found.rules, key=lambda rule: order.index(rule.behavior))
    for rule in rules:
        source = rule.source
        if as_json:
            output.json_line(
                {
                    "list": str(rule.behavior),
                    "rule": str(rule.text),
                    "layer": str(source.layer),
                    "file": source.file,
                    "line": source.line,
                    "column": source.column,
                }
            )
        else:
            place = one_line(f"{source.layer}  {source}", 300)
            output.line(f"{rule.behavior:<6} {one_line(str(rule.text), 300):<40} {place}")
    for notice in found.notices:
        output.message(escape(notice, keep_newlines=True))
    if not as_json:
        mode = f"{found.mode or 'default'}" + (f", from {found.mode_from}" if found.mode_from else "")
        output.message(escape(f"{len(rules)} rules; the mode is {mode}."))
