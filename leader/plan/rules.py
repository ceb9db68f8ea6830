"""Takes the permission rules out of a plan, each with its place, and has them read. Decides nothing."""

from collections.abc import Iterator
from pathlib import Path

from swarm.leader.plan.document import Location
from swarm.leader.plan.errors import Problem
from swarm.leader.plan.models import Permissions
from swarm.leader.plan.outline import Outline
from swarm.permissions.model import Behavior, Folders, Layer, Mode, RuleText, Source


def rules_of(outline: Outline, permissions: Permissions, location: Location) -> tuple[RuleText, ...]:
    """Give the rules of the plan (`location` is then empty) or of one worker."""
    layer = Layer.WORKER if location else Layer.PLAN
    return tuple(
        RuleText(behavior, text, _source(outline, layer, (*location, "permissions", str(behavior), index)))
        for behavior in Behavior
        for index, text in enumerate(getattr(permissions, str(behavior)))
    )


def _source(outline: Outline, layer: Layer, location: Location) -> Source:
    file = outline.document.file.absolute()
    line, column = outline.document.place(location)
    return Source(layer, str(file), line, column, str(file.parent))


def mode_of(permissions: Permissions) -> Mode | None:
    """Give the mode, if one is named."""
    return Mode(permissions.mode) if permissions.mode else None


def check_rules(outline: Outline) -> Iterator[Problem]:
    """Give each rule that cannot be read. What is merely unwise is said when the rules are linted."""
    from swarm.permissions.policy import compile_policy

    parts: list[tuple[Permissions, Location]] = [(outline.permissions, ())]
    parts += [(worker.permissions, ("workers", name)) for name, worker in outline.workers.items()]
    rules = [rule for permissions, location in parts for rule in rules_of(outline, permissions, location)]
    folders = Folders(home=Path.home(), project=outline.document.file.absolute().parent)
    document = outline.document
    for problem in compile_policy(rules, Mode.DEFAULT, folders).problems:
        if problem.is_error:
            line, column = problem.source.line, problem.source.column
            source = document.line(line)
            quoted = source[column - 1 : column] in ("'", '"')
            inside = column + problem.column + quoted
            place = (line, inside if source[inside - 1 :].strip() else column)
            text = f"The rule {problem.text!r} cannot be read: {problem.problem.rstrip('.')}."
            yield Problem(str(document.file), *place, text, problem.advice, source)
