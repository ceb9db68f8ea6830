"""Reading the text of one rule: which tool, which specifier, of which kind. Decides nothing."""

import re
from dataclasses import dataclass
from enum import StrEnum

from swarm.permissions.errors import RuleError
from swarm.permissions.model import Behavior, RuleProblem, RuleText
from swarm.permissions.tools import TOOLS, Effect, kind_of, near_tool

TOOL_NAME = re.compile(r"[A-Za-z_*][\w*.-]*")
LITERAL_SERVER = re.compile(r"mcp__[A-Za-z0-9.-]+(?:_[A-Za-z0-9.-]+)*__")


class Subject(StrEnum):
    """What a rule is compared with."""

    TOOL = "tool"
    TOOL_GLOB = "tool glob"
    COMMAND = "command"
    READ = "read path"
    EDIT = "edit path"
    HOST = "host"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule as read. `specifier` is the text between the parentheses, or of the tool for TOOL subjects."""

    text: RuleText
    subject: Subject
    tool: str
    specifier: str


@dataclass(frozen=True, slots=True)
class Reading:
    """A rule with the warnings that reading it gave."""

    rule: Rule
    problems: tuple[RuleProblem, ...] = ()


def read_rule(text: RuleText) -> Reading:
    """Read one rule. Raises RuleError, with a column, if it cannot be understood."""
    written = text.text
    if not isinstance(written, str):
        raise RuleError(
            repr(written), "a rule is a text", 'Write it in quotes, such as "Bash(ls:*)".', 0, text.source
        )
    body = written.strip()
    if not body:
        raise RuleError(
            written, "the rule is empty", "Name a tool, such as Read or Bash(ls:*).", 0, text.source
        )
    lead = len(written) - len(written.lstrip())
    name = TOOL_NAME.match(body)
    if name is None:
        raise RuleError(
            written, "a rule begins with the name of a tool", "Such as Bash(ls:*).", lead, text.source
        )
    tool, rest = name.group(), body[name.end() :]
    if not rest:
        return _bare(text, tool, lead)
    if rest[0] != "(":
        raise RuleError(
            written,
            "only '(' can follow the tool's name",
            f"Write {tool}(…).",
            lead + name.end(),
            text.source,
        )
    if not rest.endswith(")") or len(rest) < 2:
        raise RuleError(
            written, "the parenthesis is not closed", "Add ')' at the end.", lead + len(body), text.source
        )
    return _specified(text, tool, rest[1:-1], lead + name.end() + 1)


def _bare(text: RuleText, tool: str, column: int) -> Reading:
    if "*" in tool:
        if text.behavior is Behavior.ALLOW and not LITERAL_SERVER.match(tool.partition("*")[0]):
            raise RuleError(
                text.text,
                "an allow rule may have '*' only after a literal server",
                "Write mcp__SERVER__* or name the tool.",
                column + tool.index("*"),
                text.source,
            )
        return Reading(Rule(text, Subject.TOOL_GLOB, tool, tool))
    if tool == "Edit":
        return Reading(Rule(text, Subject.EDIT, tool, "//**"))
    if tool == "Read":
        return Reading(Rule(text, Subject.READ, tool, "//**"))
    return Reading(Rule(text, Subject.TOOL, tool, tool))


def _specified(text: RuleText, tool: str, specifier: str, column: int) -> Reading:
    if "*" in tool:
        raise RuleError(
            text.text,
            "a '*' in the tool's name takes no specifier",
            f"Write {tool} alone.",
            column,
            text.source,
        )
    effect = kind_of(tool).effect
    if effect is Effect.COMMAND:
        return Reading(Rule(text, Subject.COMMAND, tool, specifier))
    if effect in (Effect.READ, Effect.EDIT):
        return _path_rule(text, tool, specifier, effect)
    if effect is Effect.FETCH:
        return _host_rule(text, tool, specifier, column)
    known = ", ".join(
        name for name, kind in TOOLS.items() if kind.effect not in (Effect.SEARCH, Effect.OTHER)
    )
    meant = near_tool(tool)
    raise RuleError(
        text.text,
        f"{tool} is no tool that takes a specifier" if meant else f"{tool} takes no specifier",
        f"Did you mean {meant}({specifier})?"
        if meant
        else f"Write {tool} alone; specifiers are for {known}.",
        column - 1,
        text.source,
    )


def _path_rule(text: RuleText, tool: str, specifier: str, effect: Effect) -> Reading:
    word = "Read" if effect is Effect.READ else "Edit"
    subject = Subject.READ if effect is Effect.READ else Subject.EDIT
    if tool == word:
        return Reading(Rule(text, subject, tool, specifier))
    if text.behavior is Behavior.ALLOW:
        problem = RuleProblem(
            text.source,
            text.text,
            f"{tool}(path) allows nothing",
            f"Write {word}({specifier}): it covers {tool} too.",
        )
        return Reading(Rule(text, Subject.NOTHING, tool, specifier), (problem,))
    problem = RuleProblem(
        text.source, text.text, f"{tool}(path) is read as {word}(path)", f"Write {word}({specifier})."
    )
    return Reading(Rule(text, subject, tool, specifier), (problem,))


def _host_rule(text: RuleText, tool: str, specifier: str, column: int) -> Reading:
    body = specifier.strip()
    if body and not body.startswith("domain:"):
        raise RuleError(
            text.text,
            f"{tool} knows only domain:HOST",
            f"Write {tool}(domain:example.org) or {tool}(domain:*.example.org).",
            column,
            text.source,
        )
    return Reading(Rule(text, Subject.HOST, tool, body.removeprefix("domain:").strip()))
