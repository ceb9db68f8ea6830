"""The JSON Schema of plan files, for editors that complete and check while one writes."""

from typing import Any

from swarm.leader.plan.models import Plan


def plan_schema() -> dict[str, Any]:
    """Give the schema (draft 2020-12), with a description for each key."""
    schema = Plan.model_json_schema()
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Swarm plan",
        **{key: value for key, value in schema.items() if key != "title"},
    }
