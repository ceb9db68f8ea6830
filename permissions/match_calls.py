"""Calls against the Bash rules of deny and ask, in every spelling that runs the same. Pure."""

from collections.abc import Iterator

from swarm.permissions.model import RuleText
from swarm.permissions.policy import RuleSet
from swarm.permissions.shell.calls import Call
from swarm.permissions.shell.expand import Arg
from swarm.permissions.shell.operands import FILES
from swarm.permissions.shell.operands_odd import FILELESS
from swarm.permissions.shell.subcommands import (
    GLOBAL_VALUES,
    RUNNING_SUBS,
    runs_words,
    sub_command,
    without_options,
)
from swarm.permissions.shell.wrappers import SHELLS, WRAPPERS, interpreter


def spellings(call: Call) -> tuple[tuple[str, bool], ...]:
    """The texts of a call as rules may name it, and whether each is whole or only how it begins."""
    if call.spelt is None:
        call.spelt = tuple(_spellings(call))
    return call.spelt


def _spellings(call: Call) -> Iterator[tuple[str, bool]]:
    found = _text(call.args)
    if found is None:
        return
    text, whole = found
    yield text, whole
    if call.assigned:
        yield " ".join(value for _, value in call.assigned) + " " + text, whole
    first = call.args[0].value or ""
    if "/" in first:
        text = (call.name or "") + text[len(first) :]
        yield text, whole
    stripped = without_options(call)
    if stripped is not None:
        for words in stripped:
            other = _text(words)
            if other is not None:
                shorter = (call.name or "") + other[0][len(first) :]
                if shorter != text:
                    yield shorter, other[1]


def _text(args: tuple[Arg, ...]) -> tuple[str, bool] | None:
    if args[0].value is None:
        return None
    texts: list[str] = []
    for arg in args:
        if arg.value is None:
            return " ".join(texts) + " " + arg.prefix, False
        texts.append(arg.value)
    return " ".join(texts), True


def matching(call: Call, rules: RuleSet) -> RuleText | None:
    """The rule that fits a call, however it is spelt."""
    if not rules.commands:
        return None
    for text, _ in spellings(call):
        rule = rules.commands.match(text)
        if rule is not None:
            return rule
    return None


def possible(call: Call, rules: RuleSet) -> RuleText | None:
    """The rule that could fit a call of which a part cannot be known."""
    if not rules.commands:
        return None
    for text, whole in spellings(call):
        if not whole:
            rule = rules.commands.could_match(text)
            if rule is not None:
                return rule
    return None


def hidden(call: Call, rules: RuleSet) -> RuleText | None:
    """The rule about a command that stands among the words of one that is not known to run it."""
    commands = rules.commands
    if not commands.by_first:
        return None
    for maybe in call.maybe:
        for inner in maybe.all():
            rule = matching(inner, rules)
            if rule is not None:
                return rule
    script = sub_command(call).rpartition("/")[2] if call.name in RUNNING_SUBS else ""
    if script in commands.by_first:
        return commands.by_first[script][0].rule
    runs = runs_words(call)
    if not runs and known(call.name or ""):
        return None
    args = call.args
    for at in range(1, len(args)):
        value = args[at].value
        if not value:
            continue
        name = value.rpartition("/")[2]
        if name in commands.by_first and (runs or at + 1 < len(args)):
            found = _text((args[at], *args[at + 1 :]))
            rule = commands.match(name + found[0][len(value) :]) if found else None
            if rule is not None:
                return rule
        if runs and " " in value and value.split(" ", 1)[0] in commands.by_first:
            rule = commands.match(value)
            if rule is not None:
                return rule
    return None


def known(name: str) -> bool:
    """Whether the tables say which words of a command are commands."""
    return knows_files(name) or name in GLOBAL_VALUES


def knows_files(name: str) -> bool:
    """Whether the tables say which words of a command are files."""
    return (
        name in FILES or name in FILELESS or name in WRAPPERS or name in SHELLS or bool(interpreter(name))
    )
