"""All rules of a request's layers, read once and sorted for finding. Holds them; decides nothing."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import sha256

from swarm.permissions.errors import RuleError
from swarm.permissions.guards import own_folders
from swarm.permissions.model import Behavior, Folders, Mode, RuleProblem, RuleText
from swarm.permissions.rules import Rule, Subject, read_rule
from swarm.permissions.rules_bash import CommandIndex, index_commands, read_command
from swarm.permissions.rules_host import HostIndex, index_hosts
from swarm.permissions.rules_lint import lint
from swarm.permissions.rules_path import NEVER, PathIndex, compiled, index_paths, read_pattern
from swarm.permissions.tools import TOOLS

UNSURE = re.compile(r"[\[\\]")
BROKEN_TOOL = re.compile(r"\s*(\w+)")


@dataclass(frozen=True, slots=True)
class RuleSet:
    """The rules of one behaviour. `broken` are those that could not be read, by tool ("" for any tool).

    `binds_commands` says whether any rule could hold for a part of a shell command.
    """

    tools: dict[str, RuleText]
    globs: tuple[tuple[re.Pattern[str], RuleText], ...]
    commands: CommandIndex
    read: PathIndex
    edit: PathIndex
    hosts: HostIndex
    broken: dict[str, RuleText]
    binds_commands: bool = field(init=False)

    def whole_tool(self, tool: str) -> RuleText | None:
        """The rule that covers every call of a tool."""
        found = self.tools.get(tool)
        if found is None and tool.startswith("mcp__"):
            found = self._server(tool)
        if found is None and self.globs:
            found = next((rule for pattern, rule in self.globs if pattern.fullmatch(tool)), None)
        return found

    def _server(self, tool: str) -> RuleText | None:
        at = tool.find("__", 5)
        while at > 0:
            found = self.tools.get(tool[:at])
            if found is not None:
                return found
            at = tool.find("__", at + 1)
        return None

    def broken_for(self, tool: str) -> RuleText | None:
        """A rule that could not be read and might have been about this tool."""
        return self.broken.get(tool) or self.broken.get("")

    def __post_init__(self) -> None:
        binds = bool(self.commands or self.read or self.edit or self.broken or self.whole_tool("Bash"))
        object.__setattr__(self, "binds_commands", binds)


@dataclass(frozen=True, slots=True)
class Policy:
    """Rules, mode and folders, fixed.

    `version` is a digest of rules and mode; `own` are this program's own folders.
    """

    deny: RuleSet
    ask: RuleSet
    allow: RuleSet
    mode: Mode
    folders: Folders
    problems: tuple[RuleProblem, ...]
    version: str
    own: tuple[str, ...]


def compile_policy(rules: Iterable[RuleText], mode: Mode, folders: Folders) -> Policy:
    """Read all rules. Never raises: what is wrong with them is in `problems`."""
    texts = tuple(rules)
    problems: list[RuleProblem] = []
    sets = {
        behavior: _rule_set([text for text in texts if text.behavior is behavior], folders, problems)
        for behavior in Behavior
    }
    return Policy(
        sets[Behavior.DENY],
        sets[Behavior.ASK],
        sets[Behavior.ALLOW],
        mode,
        folders,
        tuple(problems),
        _digest(texts, mode),
        own_folders(folders),
    )


def _digest(texts: tuple[RuleText, ...], mode: Mode) -> str:
    whole = sha256(mode.encode())
    for text in texts:
        whole.update(
            f"\0{text.behavior}\0{text.text}\0{text.source.layer}\0{text.source.base}".encode(
                "utf-8", "replace"
            )
        )
    return whole.hexdigest()


def _rule_set(texts: list[RuleText], folders: Folders, problems: list[RuleProblem]) -> RuleSet:
    found: dict[Subject, list[Rule]] = {subject: [] for subject in Subject}
    broken: dict[str, RuleText] = {}
    for text in texts:
        try:
            reading = read_rule(text)
        except RuleError as error:
            problems.append(
                RuleProblem(
                    text.source, error.text, error.problem, error.advice, error.column, is_error=True
                )
            )
            broken.setdefault(_meant_tool(text), text)
            continue
        problems.extend(reading.problems)
        warnings = lint(reading.rule)
        problems.extend(warnings)
        if reading.rule.specifier.strip():
            found[reading.rule.subject].append(reading.rule)
    return RuleSet(
        tools={rule.tool: rule.text for rule in reversed(found[Subject.TOOL])},
        globs=tuple((_tool_glob(rule.tool), rule.text) for rule in found[Subject.TOOL_GLOB]),
        commands=index_commands(read_command(rule) for rule in found[Subject.COMMAND]),
        read=_paths(found[Subject.READ], folders, broken, problems),
        edit=_paths(found[Subject.EDIT], folders, broken, problems),
        hosts=index_hosts(found[Subject.HOST], bool(texts) and texts[0].behavior is not Behavior.ALLOW),
        broken=broken,
    )


def _paths(
    rules: list[Rule], folders: Folders, broken: dict[str, RuleText], problems: list[RuleProblem]
) -> PathIndex:
    patterns = []
    for rule in rules:
        pattern = read_pattern(rule, str(folders.home), str(folders.project))
        if UNSURE.search(pattern.pattern) and compiled(pattern.pattern, False) is NEVER:
            broken.setdefault("", rule.text)
            advice = (
                "Mend the bracket or the backslash; to mean the sign itself write a backslash before it."
            )
            problem = "the pattern cannot be read, so it matches nothing"
            problems.append(RuleProblem(rule.text.source, rule.text.text, problem, advice, is_error=True))
        patterns.append(pattern)
    return index_paths(patterns)


def _meant_tool(text: RuleText) -> str:
    """The tool that a rule which can't be read is about; empty, and so any, where even that is doubtful."""
    found = BROKEN_TOOL.match(text.text) if isinstance(text.text, str) else None
    name = found.group(1) if found and text.text.startswith("(", found.end(1)) else ""
    return name if name in ("Bash", "WebFetch", "WebSearch") or (name and name not in TOOLS) else ""


def _tool_glob(name: str) -> re.Pattern[str]:
    return re.compile(
        "".join(".*" if piece == "*" else re.escape(piece) for piece in re.split(r"(\*)", name)), re.DOTALL
    )
