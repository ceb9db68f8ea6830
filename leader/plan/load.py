"""The way from a plan file to the team it describes, or to all that is wrong with it at once."""

from pathlib import Path

from swarm.leader.plan.agents import check_agents
from swarm.leader.plan.document import read_document
from swarm.leader.plan.errors import PlanInvalid, Problem
from swarm.leader.plan.outline import Outline, read_outline
from swarm.leader.plan.resolve import resolve
from swarm.leader.plan.resolved import TeamPlan
from swarm.leader.plan.rules import check_rules
from swarm.leader.plan.source import read_source
from swarm.leader.plan.surroundings import check_surroundings
from swarm.leader.plan.teamwork import check_needs, check_references

CHECKS = (check_agents, check_needs, check_references, check_surroundings, check_rules)


def load_plan(path: Path) -> TeamPlan:
    """Give the team. Raises PlanInvalid with everything that is wrong with the file."""
    return load_plan_text(read_source(path), path)


def load_plan_text(text: str, file: Path) -> TeamPlan:
    """Give the team of a plan's text as it was read from `file` once. Raises PlanInvalid."""
    outline, problems = _examine(file, text)
    if problems:
        raise PlanInvalid(problems)
    return resolve(outline)


def check_plan(path: Path) -> list[Problem]:
    """Give everything that is wrong with the file, in its order; nothing if it can be run."""
    try:
        load_plan(path)
    except PlanInvalid as error:
        return list(error.problems)
    return []


def _examine(path: Path, text: str) -> tuple[Outline, list[Problem]]:
    problems: list[Problem] = []
    outline = read_outline(read_document(path, text), problems)
    for check in CHECKS:
        problems += check(outline)
    return outline, problems
