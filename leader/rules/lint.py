"""Everything that is wrong or doubtful in settings files and in the rules of plans. Changes nothing."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from swarm.leader.plan.document import read_document
from swarm.leader.plan.errors import PlanInvalid, Problem
from swarm.leader.plan.load import check_plan
from swarm.leader.plan.outline import Outline, read_outline
from swarm.leader.plan.rules import rules_of
from swarm.leader.plan.source import read_source
from swarm.leader.rules.in_force import home_folder, only_file, own_settings
from swarm.permissions.errors import SettingsError
from swarm.permissions.model import Behavior, Folders, Mode, RuleProblem, RuleText
from swarm.permissions.policy import compile_policy
from swarm.permissions.settings.layers import usable_mode
from swarm.permissions.settings.opening import read_text
from swarm.permissions.settings.places import SettingsFile
from swarm.permissions.settings.reading import read_settings

PLANS = (".yaml", ".yml")


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong (an error) or doubtful (a warning), with its place. `rule` may be empty."""

    is_error: bool
    problem: Problem
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Linted:
    """What one file gave: its rules, and what was found while reading it."""

    rules: tuple[RuleText, ...] = ()
    findings: tuple[Finding, ...] = ()
    lines: tuple[str, ...] = ()


def lint_files(files: Sequence[Path], folder: Path) -> list[Finding]:
    """Look through files, or through all settings files that hold in a folder where none is named."""
    if files:
        linted = [_plan(file) if file.suffix in PLANS else _named(file) for file in files]
    else:
        linted = [_settings(file, folder) for file in own_settings(folder)]
    findings = [finding for one in linted for finding in one.findings]
    findings += _repeats([(rule, one.lines) for one in linted for rule in one.rules])
    return sorted(findings, key=lambda one: (one.problem.file, one.problem.line, one.problem.column))


def _named(file: Path) -> Linted:
    if not file.exists():
        problem = Problem(str(file), 0, 0, "There is no such file.", "Name a settings file or a plan.")
        return Linted((), (Finding(True, problem),))
    folder = file.absolute().parent
    project = folder.parent if folder.name == ".swarm" else folder
    known = (one for one in own_settings(project) if one.path == file.absolute())
    return _settings(next(known, only_file(file, project)), project)


def _settings(file: SettingsFile, project: Path) -> Linted:
    try:
        settings = read_settings(file)
        found = read_text(file)
    except SettingsError as error:
        source = error.source
        text = f"{error.problem.removesuffix('.')}."
        problem = Problem(source.file, source.line, source.column, text, error.advice, error.line)
        return Linted((), (Finding(True, problem),))
    lines = found.text.split("\n") if found else []
    findings = [_located(problem, lines) for problem in settings.problems]
    if settings.mode is not usable_mode(settings, file):
        text = f"The mode {settings.mode} is not taken from a project's shared file."
        advice = "Write it into your own settings, or use --mode."
        findings.append(Finding(False, Problem(str(file.path), 0, 0, text, advice)))
    return Linted(settings.rules, (*findings, *_rules(settings.rules, project, lines)), tuple(lines))


def _rules(rules: tuple[RuleText, ...], project: Path, lines: Sequence[str]) -> Iterator[Finding]:
    policy = compile_policy(rules, Mode.DEFAULT, Folders(home_folder(), project))
    yield from (_located(problem, lines) for problem in policy.problems)


def _located(found: RuleProblem, lines: Sequence[str]) -> Finding:
    """Give a problem with the line that it stands in, its column within the rule added."""
    source = found.source
    line = lines[source.line - 1] if 0 < source.line <= len(lines) else ""
    column = source.column + found.column if source.column else 0
    if line[source.column - 1 : source.column] in ("'", '"') and source.column:
        column += 1
    if column > len(line.rstrip()) + 1:
        column = source.column
    text = found.problem.removesuffix(".") + "."
    problem = Problem(source.file, source.line, column, text, found.advice, line)
    return Finding(found.is_error, problem, str(found.text))


def _plan(file: Path) -> Linted:
    """Lint a plan: all that `swarm validate` says, and what is doubtful in its rules."""
    errors = tuple(Finding(True, problem) for problem in check_plan(file))
    try:
        outline = read_outline(read_document(file, read_source(file)), [])
    except PlanInvalid:
        return Linted((), errors)
    rules = tuple(_plan_rules(outline))
    lines = outline.document.text.split("\n")
    doubts = (one for one in _rules(rules, file.absolute().parent, lines) if not one.is_error)
    return Linted(rules, (*errors, *doubts), tuple(lines))


def _plan_rules(outline: Outline) -> Iterator[RuleText]:
    yield from rules_of(outline, outline.permissions, ())
    for name, worker in outline.workers.items():
        yield from rules_of(outline, worker.permissions, ("workers", name))


def _repeats(rules: Sequence[tuple[RuleText, Sequence[str]]]) -> Iterator[Finding]:
    """Rules that change nothing because the same one stands in a list that comes first."""
    first: dict[str, RuleText] = {}
    for behavior in (Behavior.DENY, Behavior.ASK, Behavior.ALLOW):
        for rule, lines in rules:
            if rule.behavior is not behavior:
                continue
            before = first.setdefault(str(rule.text), rule)
            if before.behavior is not behavior:
                text = f"the same rule stands in {before.behavior} ({before.source}), which comes first"
                advice = "It changes nothing: remove one of them."
                yield _located(RuleProblem(rule.source, rule.text, text, advice), lines)
