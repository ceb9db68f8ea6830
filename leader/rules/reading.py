"""Gets the cases of a file, whichever of the two forms it has. Runs none."""

from pathlib import Path

from swarm.leader.plan.errors import PlanInvalid
from swarm.leader.plan.source import read_source
from swarm.leader.rules.cases import Case
from swarm.leader.rules.cases_jsonl import read_lines
from swarm.leader.rules.cases_yaml import read_yaml
from swarm.leader.rules.errors import CasesInvalid


def read_cases(file: Path) -> list[Case]:
    """Read JSON lines or, from a file that ends in .yaml or .yml, YAML. Raises CasesInvalid."""
    try:
        text = read_source(file)
    except PlanInvalid as error:
        raise CasesInvalid(error.problems) from None
    return read_yaml(file, text) if file.suffix in (".yaml", ".yml") else read_lines(file, text)
