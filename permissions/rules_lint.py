"""Warnings about rules that can be read but miss what they seem to mean, with what to write instead."""

import re
from collections.abc import Iterator

from swarm.permissions.model import Behavior, RuleProblem
from swarm.permissions.rules import Rule, Subject
from swarm.permissions.rules_bash import QUOTED
from swarm.permissions.shell.wrappers import interpreter, names
from swarm.permissions.tools import TOOLS, near_tool

# Programs that run what they are given: an allow rule for one allows less than it seems to, or too much.
RUNNERS = names(
    "bash sh zsh dash ksh fish env sudo doas su xargs eval exec source . ssh parallel watch script "
    "strace setsid flock unshare chroot busybox nohup timeout time nice ionice stdbuf command builtin "
    "find trap coproc"
)
BARE = re.compile(r"\S+?(?::\*| ?\*)?")
LIST_SIGN = re.compile(r"&&|\|\||[;|&\n]")
REDIRECTION = re.compile(r"[<>]")
SHORT_FLAG = re.compile(r"(?:^|\s)-[A-Za-z]$")
FOLDED_TOOLS = {name.casefold(): name for name in TOOLS}


def lint(rule: Rule) -> tuple[RuleProblem, ...]:
    """What is doubtful about a rule."""
    return tuple(
        RuleProblem(rule.text.source, rule.text.text, problem, advice)
        for problem, advice in _findings(rule)
    )


def _findings(rule: Rule) -> Iterator[tuple[str, str]]:
    if rule.subject in (Subject.TOOL, Subject.TOOL_GLOB):
        yield from _tool(rule)
    elif not rule.specifier.strip():
        yield (
            "the specifier is empty: the rule can never match",
            f"Write {rule.tool} alone to cover every call.",
        )
    elif rule.subject is Subject.COMMAND:
        yield from _command(rule)
    elif rule.subject is Subject.HOST:
        yield from _host(rule)
    elif rule.specifier.startswith("!"):
        yield "a pattern that begins with '!' excepts nothing here", "Write a rule in another list instead."


def _tool(rule: Rule) -> Iterator[tuple[str, str]]:
    meant = FOLDED_TOOLS.get(rule.tool.casefold())
    if meant is not None and meant != rule.tool:
        yield f"tool names keep their case: {rule.tool} is no tool", f"Write {meant}."
    elif meant is None and (near := near_tool(rule.tool)):
        yield f"no tool is called {rule.tool}, as far as is known here", f"Did you mean {near}?"


def _command(rule: Rule) -> Iterator[tuple[str, str]]:
    text = rule.specifier
    bare = QUOTED.sub("", text)
    if ":*" in text[:-2]:
        yield (
            "':*' stands in the middle: the rule can never match",
            "Put ':*' at the end, or write ' * ' here.",
        )
    if LIST_SIGN.search(bare):
        yield (
            "a rule is compared with one command at a time: a list can never match",
            "Write a rule for each part.",
        )
    elif REDIRECTION.search(bare):
        yield (
            "redirections are no part of a rule: it can never match",
            "Leave it out, and add Edit(path) for the file.",
        )
    prefix = text.removesuffix(":*").removesuffix("*").rstrip()
    if prefix != text and SHORT_FLAG.search(prefix) and rule.text.behavior is not Behavior.ALLOW:
        shorter = prefix.rpartition(" ")[0]
        yield f"this misses joined and reordered flags, such as {prefix}f", f"Write Bash({shorter}:*)."
    if rule.text.behavior is Behavior.ALLOW:
        yield from _runner(text)


def _runner(text: str) -> Iterator[tuple[str, str]]:
    name = re.split(r"[\s:*]", text.strip(), maxsplit=1)[0].rpartition("/")[2]
    if name in RUNNERS:
        yield f"{name} runs other commands: what it runs has to be allowed too", "Name the command it runs."
    elif interpreter(name) and BARE.fullmatch(text.strip()):
        yield f"this lets {name} run any program text", f"Name the script: Bash({name} SCRIPT:*)."


def _host(rule: Rule) -> Iterator[tuple[str, str]]:
    name = rule.specifier
    if "/" in name or ":" in name.strip("[]").partition("]")[2]:
        yield (
            "a host has neither a scheme, a port nor a path: the rule can never match",
            "Write domain:HOST only.",
        )
    if "*" in name.removeprefix("*.") and name != "*":
        yield "'*' can stand only for whole labels at the front", "Write domain:*.example.org."
