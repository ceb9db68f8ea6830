"""The tables of the reference pages in docs/, as the code's own models say them. Writes nothing.

`scripts/protocol_docs` puts them between the markers of their pages.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, get_args, get_type_hints

import msgspec

from swarm.ipc.messages import TodoItem
from swarm.leader.headless import events
from swarm.leader.palette import COLOR_NAMES
from swarm.leader.plan.schema import plan_schema
from swarm.leader.plan.steps import ACTIONS, Glob, Grep, Read, StepModel
from swarm.leader.plan.steps import Bash as BashStep

Table = Callable[[tuple[str, ...], Iterable[tuple[str, ...]]], str]
SHORT: Mapping[str, tuple[type[StepModel], str]] = {
    "bash": (BashStep, "command"),
    "read": (Read, "file_path"),
    "glob": (Glob, "pattern"),
    "grep": (Grep, "pattern"),
}
"""The actions that may be written as plain text, and the key that the text then stands for."""


def cell(text: str) -> str:
    """Make a text fit for a cell."""
    return " ".join(text.split()).replace("|", "\\|")


def kind(schema: Mapping[str, Any]) -> str:
    """Say what a value may be, from its JSON Schema."""
    if "$ref" in schema:
        return "mapping"
    if "anyOf" in schema:
        names = [kind(one) for one in schema["anyOf"] if one.get("type") != "null"]
        return " or ".join(dict.fromkeys(names))
    if "enum" in schema:
        return ", ".join(f"`{word}`" for word in schema["enum"])
    if "const" in schema:
        return f"`{schema['const']}`"
    if schema.get("type") == "array":
        return f"list of {kind(schema['items'])}s"
    simple = {"string": "text", "integer": "whole number", "number": "number", "boolean": "true or false"}
    return simple.get(str(schema.get("type")), "mapping")


def keys_of(table: Table, name: str, leave_out: Iterable[str] = ()) -> str:
    """Give the table of the keys of one part of a plan; `Plan` is the whole."""
    schema = plan_schema()
    part = schema if name == "Plan" else schema["$defs"][name]
    needed = part.get("required", ())
    rows = [
        (
            f"`{key}`",
            kind(value) + (", needed" if key in needed else ""),
            cell(value.get("description", "")),
        )
        for key, value in part["properties"].items()
        if key not in leave_out
    ]
    return table(("Key", "Value", "What it is"), rows)


def actions(table: Table) -> str:
    """Give the table of what a step can do, with the keys of each action."""
    properties = plan_schema()["$defs"]["Step"]["properties"]
    rows = []
    for action in ACTIONS:
        model, short = action_model(action), SHORT.get(action)
        if model is None:
            rows.append((f"`{action}`", "text", cell(properties[action]["description"])))
            continue
        named = ", ".join(action_key(model, key) for key in model.model_fields)
        short_form = f"text, which is its `{short[1]}`, or a mapping: " if short else "mapping: "
        rows.append((f"`{action}`", short_form + named, cell(model.__doc__ or "")))
    return table(("Action", "Value", "What it does"), rows)


def action_model(action: str) -> type[StepModel] | None:
    """Give the model of an action's mapping, or None where it is plain text."""
    from swarm.leader.plan.steps import Step

    for one in get_args(Step.model_fields[action].annotation):
        if isinstance(one, type) and issubclass(one, StepModel):
            return one
        inner = get_args(one)
        if inner and isinstance(inner[0], type) and issubclass(inner[0], StepModel):
            return inner[0]
    return None


def action_key(model: type[StepModel], key: str) -> str:
    """Say one key of an action; those that may be left out stand in parentheses."""
    field = model.model_fields[key]
    said = f"`{key}`" + (f": {cell(field.description).rstrip('.')}" if field.description else "")
    return said if field.is_required() else f"({said})"


def colors(table: Table) -> str:
    """Give the names of the palette."""
    return ", ".join(f"`{name}`" for name in COLOR_NAMES) + ".\n"


def event_tables(table: Table) -> str:
    """Give each event of `--json` with its fields."""
    kinds = get_args(events.AnyHeadlessEvent)
    return "\n".join(described(table, f"`{kind.__struct_config__.tag}`", kind) for kind in kinds)


def part_tables(table: Table) -> str:
    """Give the objects that stand inside of events."""
    kinds = (TodoItem, events.SummaryWorker, events.SummaryMissed)
    return "\n".join(described(table, kind.__name__, kind) for kind in kinds)


def described(table: Table, title: str, struct: type[msgspec.Struct]) -> str:
    """Give a struct under a heading: what it is, and its fields."""
    return f"### {title}\n\n{cell(struct.__doc__ or '')}\n\n{fields(table, struct)}"


def fields(table: Table, struct: type[msgspec.Struct]) -> str:
    """Give the table of a struct's own fields."""
    hints = get_type_hints(struct)
    names = [name for name in struct.__struct_fields__ if name != "at"]
    return table(("Field", "Value"), [(f"`{name}`", json_kind(hints[name])) for name in names])


def json_kind(hint: Any) -> str:
    """Say what a value is in JSON, from its Python type."""
    names = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}
    if hint in names:
        return names[hint]
    arguments = [one for one in get_args(hint) if one is not Ellipsis]
    origin = getattr(hint, "__origin__", None)
    if origin is tuple:
        return f"array of {json_kind(arguments[0])}"
    if origin is dict:
        return "object"
    if arguments:
        words = (json_kind(one) if not isinstance(one, str) else f'`"{one}"`' for one in arguments)
        return " or ".join(words)
    return hint.__name__ if isinstance(hint, type) else str(hint)


def plan_sections(table: Table) -> dict[str, Callable[[], str]]:
    """Give the parts of docs/plan.md."""
    return {
        "plan": lambda: keys_of(table, "Plan"),
        "permissions": lambda: keys_of(table, "Permissions"),
        "settings": lambda: keys_of(table, "Settings"),
        "worker": lambda: keys_of(table, "Worker", plan_schema()["$defs"]["Settings"]["properties"]),
        "actions": lambda: actions(table),
        "step": lambda: keys_of(table, "Step", ACTIONS),
        "colors": lambda: colors(table),
    }


def event_sections(table: Table) -> dict[str, Callable[[], str]]:
    """Give the parts of docs/json-events.md."""
    return {"events": lambda: event_tables(table), "parts": lambda: part_tables(table)}
