"""What each tool does, as far as rules care: a table. A tool not listed is known by its name only."""

from dataclasses import dataclass
from enum import StrEnum


class Effect(StrEnum):
    """What a call of the tool does to the outside."""

    READ = "read"
    EDIT = "edit"
    COMMAND = "command"
    FETCH = "fetch"
    SEARCH = "search"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class ToolKind:
    """A tool's effect and the input fields that name paths; `walks` if it takes in all below a folder."""

    effect: Effect
    path_fields: tuple[str, ...] = ()
    walks: bool = False
    needs_path: bool = True


TOOLS: dict[str, ToolKind] = {
    "Bash": ToolKind(Effect.COMMAND),
    "Read": ToolKind(Effect.READ, ("file_path",)),
    "NotebookRead": ToolKind(Effect.READ, ("notebook_path",)),
    "Glob": ToolKind(Effect.READ, ("path",), walks=True, needs_path=False),
    "Grep": ToolKind(Effect.READ, ("path",), walks=True, needs_path=False),
    "LS": ToolKind(Effect.READ, ("path",), needs_path=False),
    "Edit": ToolKind(Effect.EDIT, ("file_path",)),
    "Write": ToolKind(Effect.EDIT, ("file_path",)),
    "MultiEdit": ToolKind(Effect.EDIT, ("file_path",)),
    "NotebookEdit": ToolKind(Effect.EDIT, ("notebook_path",)),
    "WebFetch": ToolKind(Effect.FETCH),
    "WebSearch": ToolKind(Effect.SEARCH),
}
UNKNOWN_TOOL = ToolKind(Effect.OTHER)


def kind_of(tool: str) -> ToolKind:
    """The tool's entry, or the one for tools that nobody named."""
    return TOOLS.get(tool, UNKNOWN_TOOL)


def near_tool(name: str) -> str:
    """The tool that a name which is none may have been meant for; empty if none is near."""
    from difflib import get_close_matches

    folded = {known.casefold(): known for known in TOOLS if len(known) > 2 or known == name.upper()}
    found = get_close_matches(name[:40].casefold(), folded, n=1, cutoff=0.8)
    return folded[found[0]] if found and name not in TOOLS else ""
