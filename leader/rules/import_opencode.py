"""The settings of opencode, where the last rule that fits counts. Reads a text; writes nothing.

The form is that of https://opencode.ai/docs/permissions. Here the strictest rule counts, so an exception
from a deny cannot be said: the deny stays whole.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from swarm.leader.rules.imported import Entry, RuleOut
from swarm.permissions.model import Behavior, Mode
from swarm.permissions.settings.jsonc import parse
from swarm.permissions.settings.tree import Node, Object, Scalar, place

TOOLS = {
    "bash": "Bash",
    "edit": "Edit",
    "write": "Edit",
    "patch": "Edit",
    "read": "Read",
    "glob": "Glob",
    "grep": "Grep",
    "list": "LS",
    "webfetch": "WebFetch",
    "websearch": "WebSearch",
    "codesearch": "WebSearch",
}
ELSEWHERE = frozenset({"task", "skill", "lsp", "question", "doom_loop", "todowrite", "todoread"})
URL = re.compile(r"(?:https?|\*)://(\*\.)?([A-Za-z0-9.-]+)(/\*?|\*)?")
SERVER = re.compile(r"([A-Za-z0-9-]+(?:_[A-Za-z0-9-]+)*)_\*")


@dataclass(frozen=True, slots=True)
class Ruling:
    """One pattern with what is to be done, and where it stands."""

    line: int
    pattern: str
    behavior: Behavior | None


def read_opencode(text: str) -> Iterator[Entry]:
    """Give what the file says of permissions. Raises JsonProblem."""
    root = parse(text)
    for member in root.items if isinstance(root, Object) else ():
        line = place(text, member.start)[0]
        if member.key == "permission":
            yield from _permission(text, member.value)
        elif member.key == "tools" and isinstance(member.value, Object):
            yield from _switches(text, member.value)
        elif member.key in ("agent", "mode") and isinstance(member.value, Object):
            for agent in member.value.items:
                if isinstance(agent.value, Object) and agent.value.find("permission") is not None:
                    note = "Rules of one agent stand in the plan here, under its worker."
                    yield Entry(line, f"{member.key}.{agent.key}.permission", note=note)


def _permission(text: str, node: Node) -> Iterator[Entry]:
    if not isinstance(node, Object):
        yield _for_all(place(text, node.start)[0], _action(node))
        return
    for member in node.items:
        line = place(text, member.start)[0]
        if member.key == "*":
            yield _for_all(line, _action(member.value))
            continue
        if isinstance(member.value, Object):
            rulings = [
                Ruling(place(text, one.start)[0], one.key, _action(one.value)) for one in member.value.items
            ]
        else:
            rulings = [Ruling(line, "*", _action(member.value))]
        yield from _tool(member.key, rulings)


def _action(node: Node) -> Behavior | None:
    word = node.value if isinstance(node, Scalar) else None
    return Behavior(word) if isinstance(word, str) and word in tuple(Behavior) else None


def _for_all(line: int, action: Behavior | None) -> Entry:
    match action:
        case Behavior.ALLOW:
            note = "Never carried over by itself: it is --mode bypassPermissions, where you want it."
            return Entry(line, "* allow", note=note)
        case Behavior.ASK:
            return Entry(line, "* ask", mode=Mode.DEFAULT)
        case Behavior.DENY:
            note = "What no rule allows is denied without a question, in the mode dontAsk."
            return Entry(line, "* deny", mode=Mode.DONT_ASK, note=note)
        case None:
            return Entry(line, "*", note="It is none of allow, ask and deny.")


def _tool(name: str, rulings: Sequence[Ruling]) -> Iterator[Entry]:
    last = max((at for at, one in enumerate(rulings) if one.pattern == "*"), default=0)
    for at, ruling in enumerate(rulings):
        said = f"{name} {ruling.pattern!r} {ruling.behavior or '?'}"
        if ruling.behavior is None:
            yield Entry(ruling.line, said, note="It is none of allow, ask and deny.")
        elif at < last:
            yield Entry(ruling.line, said, note="A later '*' is put over it there, so it has no effect.")
        else:
            rest = rulings[at + 1 :]
            yield _ruling(name, ruling, ruling.behavior, said, rest)


def _ruling(name: str, ruling: Ruling, behavior: Behavior, said: str, rest: Sequence[Ruling]) -> Entry:
    line = ruling.line
    if name == "external_directory":
        return _outside(line, said, ruling.pattern, behavior)
    if name in ELSEWHERE:
        return Entry(line, said, note="There is no such tool here.")
    tool = TOOLS.get(name)
    if tool is None:
        return _server(line, said, name, behavior)
    laxer = [one for one in rest if one.behavior is not None and _order(one.behavior) < _order(behavior)]
    if ruling.pattern == "*":
        if laxer:
            note = (
                "With exceptions after it this cannot be one rule: the rest is up to the mode, which asks"
            )
            return Entry(line, said, note=f"{note} (dontAsk denies).")
        return _whole(line, said, tool, behavior)
    rules, note = _patterns(tool, ruling.pattern, behavior)
    if laxer and rules:
        note = f"{note} Exceptions that stand after it do not count here: the stricter rule wins.".strip()
    return Entry(line, said, rules, note=note)


def _whole(line: int, said: str, tool: str, behavior: Behavior) -> Entry:
    """A tool as a whole. An allow there ends at the project, which a tool's bare name here does not."""
    if behavior is not Behavior.ALLOW or tool in ("Bash", "WebFetch", "WebSearch"):
        return Entry(line, said, ((behavior, tool),))
    if tool in ("Read", "Edit"):
        return Entry(line, said, ((behavior, f"{tool}(/**)"),), note="Inside the project, as it is there.")
    return Entry(line, said, note="Read(/**) in allow would cover it, together with all reading here.")


def _order(behavior: Behavior) -> int:
    return (Behavior.ALLOW, Behavior.ASK, Behavior.DENY).index(behavior)


def _patterns(tool: str, pattern: str, behavior: Behavior) -> tuple[tuple[RuleOut, ...], str]:
    if tool == "Bash":
        if "?" not in pattern:
            return ((behavior, f"Bash({pattern})"),), ""
        if behavior is Behavior.ALLOW:
            return (), "'?' stands for no sign in rules for commands here."
        return ((behavior, f"Bash({pattern.replace('?', '*')})"),), "Widened: '?' is '*' here."
    if tool in ("Read", "Edit"):
        return _paths(tool, pattern, behavior)
    if tool == "WebFetch":
        return _address(pattern, behavior)
    if behavior is Behavior.ALLOW:
        return (), f"{tool} takes no pattern of this kind here."
    return (
        (behavior, tool),
    ), f"Widened to every call of {tool}, which takes no pattern of this kind here."


def _paths(tool: str, pattern: str, behavior: Behavior) -> tuple[tuple[RuleOut, ...], str]:
    path = re.sub(r"^\$HOME(?=/|$)", "~", pattern)
    path = f"/{path}" if path.startswith("/") else path
    if behavior is Behavior.ALLOW:
        if "*" not in path and "/" not in path:
            return ((behavior, f"{tool}(/{path})"),), ""
        note = "'*' ends at a '/' here; '**' goes on." if "*" in path.removesuffix("/**") else ""
        anchored = path if path.startswith(("//", "~")) else f"/{path.removeprefix('./')}"
        return ((behavior, f"{tool}({anchored})"),), note
    wide = path.removeprefix("./")
    found = dict.fromkeys((wide, _deep(wide)))
    stars = wide if "/" in wide else wide.strip("*")
    if len(re.findall(r"\*+", stars)) > 1:
        found = {_below(wide): None}
    note = "Widened to any depth, so that it does not get weaker." if len(found) > 1 or wide != path else ""
    return tuple((behavior, f"{tool}({one})") for one in found), note


def _deep(path: str) -> str:
    """The pattern whose stars go over slashes too."""
    head, sign, tail = path.rpartition("*")
    if not sign or not head or head.endswith("*") or ("/" not in path and not tail):
        return path
    before, slash, stem = head.rpartition("/")
    return f"{before}{slash}{stem}*/**/*{tail}" if stem else f"{before}{slash}**/*{tail}"


def _below(path: str) -> str:
    """Everything below the last folder that a pattern names without a star."""
    folder = path.partition("*")[0].rpartition("/")[0]
    return f"{folder}/**" if folder else "**"


def _address(pattern: str, behavior: Behavior) -> tuple[tuple[RuleOut, ...], str]:
    found = URL.fullmatch(pattern)
    if found is not None:
        return ((behavior, f"WebFetch(domain:{found[1] or ''}{found[2]})"),), ""
    if behavior is Behavior.ALLOW:
        return (), "Rules for addresses name a host only here."
    return ((behavior, "WebFetch"),), "Widened to every address: rules name a host only here."


def _outside(line: int, said: str, pattern: str, behavior: Behavior) -> Entry:
    if pattern == "*" or behavior is not Behavior.DENY:
        return Entry(
            line, said, note="What lies outside the working directories is asked about by itself here."
        )
    rules = (*_paths("Read", pattern, behavior)[0], *_paths("Edit", pattern, behavior)[0])
    return Entry(line, said, rules)


def _server(line: int, said: str, name: str, behavior: Behavior) -> Entry:
    found = SERVER.fullmatch(name)
    if found is None:
        return Entry(line, said, note="No tool of that name is known here.")
    return Entry(
        line, said, ((behavior, f"mcp__{found[1]}__*"),), note="Read as the tools of an MCP server."
    )


def _switches(text: str, node: Object) -> Iterator[Entry]:
    """The older form: tools that are switched on or off."""
    for member in node.items:
        line, tool = place(text, member.start)[0], TOOLS.get(member.key)
        off = isinstance(member.value, Scalar) and member.value.value is False
        said = f"tools.{member.key} {'off' if off else 'on'}"
        if off and tool is not None:
            yield Entry(line, said, ((Behavior.DENY, tool),))
        else:
            yield Entry(
                line, said, note="Which tools there are is the agent's matter; rules say what runs."
            )
