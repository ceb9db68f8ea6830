"""`swarm schema`: the JSON Schema of plans, for editors."""

from swarm.leader.cli import output


def command() -> None:
    """Print the JSON Schema of plan files, for editors."""
    import orjson

    from swarm.leader.plan.schema import plan_schema

    output.line(orjson.dumps(plan_schema(), option=orjson.OPT_INDENT_2).decode())
