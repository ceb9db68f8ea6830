"""Small plans of script workers, written as files for the real program to run."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

Steps = Sequence[Mapping[str, Any]]


def write_plan(
    folder: Path, workers: Mapping[str, Steps | Mapping[str, Any]], *, name: str = "small", **fields: Any
) -> Path:
    """Write `plan.yaml`; a worker is its steps, or all its fields. `fields` are those of the plan."""
    whole = {
        worker: given if isinstance(given, Mapping) else {"steps": list(given)}
        for worker, given in workers.items()
    }
    plan = {"version": 1, "name": name, "defaults": {"agent": "script"}, **fields, "workers": whole}
    path = folder / "plan.yaml"
    path.write_text(json.dumps(plan, ensure_ascii=False, indent=1), encoding="utf-8")
    return path


def bash(command: str, **fields: Any) -> dict[str, Any]:
    """Give a step that runs a command."""
    return {"bash": command, **fields}
