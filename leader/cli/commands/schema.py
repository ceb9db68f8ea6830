"""`swarm schema`: the JSON Schema of plans, for editors."""

from swarm.leader.cli import output


def command() -> None:
    """Print the JSON Schema of plan files, for editors."""
    import json

    from swarm.leader.plan.schema import plan_schema

    output.line(json.dumps(plan_schema(), indent=2))
