"""The tools that an agent can call, by name. Each is loaded when it is first asked for."""

from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import Any

from swarm.worker.errors import UnknownTool
from swarm.worker.tools.base import Tool

_PLACES = MappingProxyType(
    {
        "Bash": ("bash", "BashTool"),
        "Read": ("read", "ReadTool"),
        "Write": ("write", "WriteTool"),
        "Edit": ("edit", "EditTool"),
        "MultiEdit": ("multi_edit", "MultiEditTool"),
        "Glob": ("glob", "GlobTool"),
        "Grep": ("grep", "GrepTool"),
        "LS": ("ls", "ListTool"),
    }
)
TOOL_NAMES: tuple[str, ...] = tuple(_PLACES)


@cache
def find_tool(name: str) -> Tool[Any]:
    """Give the tool of this name, which is case-sensitive. Raises UnknownTool, naming the nearest."""
    place = _PLACES.get(name)
    if place is None:
        raise UnknownTool(name, TOOL_NAMES)
    module, class_name = place
    tool: Tool[Any] = getattr(import_module(f"swarm.worker.tools.{module}"), class_name)()
    return tool
