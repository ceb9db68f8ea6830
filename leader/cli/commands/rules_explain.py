"""`swarm rules explain`: what would become of one call, and why."""

from pathlib import Path
from typing import Annotated

import typer

from swarm.leader.cli import output
from swarm.leader.cli.options import JsonOption, ModeWord
from swarm.leader.cli.rule_options import CwdOption, PlanOption, SettingsOption, WorkerOption


def command(
    shell: Annotated[
        str | None,
        typer.Option("--command", metavar="TEXT", help="A shell command: short for --tool Bash --input …"),
    ] = None,
    tool: Annotated[str, typer.Option("--tool", metavar="NAME", help="The tool that is called.")] = "Bash",
    call_input: Annotated[
        str | None,
        typer.Option("--input", metavar="JSON", help='Its input, such as \'{"command": "git push"}\'.'),
    ] = None,
    settings: SettingsOption = None,
    plan: PlanOption = None,
    worker: WorkerOption = "",
    mode: Annotated[
        ModeWord | None, typer.Option("--mode", help="The mode, whatever settings and plan say.")
    ] = None,
    cwd: CwdOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say what would become of a call, and why.

    Without --settings and --plan, the rules are those of the settings files that hold in this folder.
    Nothing is run. Exit 0 whatever the answer is.
    """
    from swarm.leader.cli.explaining import explanation_lines, explanation_object
    from swarm.leader.hostile import escape
    from swarm.leader.rules.explain import explain
    from swarm.leader.rules.in_force import find_rules, own_folders
    from swarm.leader.rules.question import read_question
    from swarm.permissions.files import RealFiles
    from swarm.permissions.model import Mode

    found = find_rules((cwd or Path.cwd()).absolute(), settings or (), plan, worker)
    folder = (cwd or found.folder or Path.cwd()).absolute()
    request = read_question(tool, call_input, shell, str(folder))
    chosen = Mode(mode) if mode else found.mode or Mode.DEFAULT
    project = plan.absolute().parent if plan else folder
    explanation = explain(request, found.rules, chosen, own_folders(project, folder), RealFiles())
    if as_json:
        output.json_line(explanation_object(explanation, found))
        return
    for notice in found.notices:
        output.message(escape(notice, keep_newlines=True))
    output.painted(explanation_lines(explanation, found, min(output.width(), 100)))
