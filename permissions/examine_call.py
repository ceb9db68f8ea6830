"""Whether one command only reads, by the table of read-only commands and their options. Pure."""

from collections.abc import Callable

from swarm.permissions.shell.calls import Call
from swarm.permissions.shell.operands import FILES
from swarm.permissions.shell.options import Split, split_options
from swarm.permissions.shell.programs_read import PROGRAMS
from swarm.permissions.shell.readonly import (
    FIND_TESTS,
    FIND_VALUES,
    GIT_GLOBAL,
    GIT_LISTS,
    GIT_NEEDS_WORD,
    GIT_READ_ONLY,
    NO_OPERANDS,
    READ_ONLY,
)
from swarm.permissions.shell.touches_git import SUBS
from swarm.permissions.shell.unwrap import find_starts
from swarm.permissions.shell.wrappers import names
from swarm.permissions.shortening import shortened

TESTERS = frozenset({"echo", "printf", "test", "["})
DATE_VALUES = names("-d --date")
MISC_VALUES: dict[str, frozenset[str]] = {
    "date": DATE_VALUES,
    "fold": names("-w --width"),
    "fmt": names("-w --width"),
    "nl": names("-b -n -w -s -v -i"),
    "tac": names("-s"),
    "column": names("-s -c -o --separator"),
    "expand": names("-t --tabs"),
    "unexpand": names("-t --tabs"),
    "seq": names("-s -f --separator --format"),
    "basename": names("-s --suffix"),
}


def call_reads(call: Call) -> str:
    """Why a call may do more than read; empty if it only reads."""
    name = call.name or ""
    if call.clear and call.inner:
        return next((why for why in map(call_reads, call.inner) if why), "")
    if not call.plain_name or call.args[0].value != name or call.args[0].raw != name:
        return f"{shortened(call.args[0].raw)} is not written as a plain name."
    if call.inner or call.maybe:
        return f"{name} runs another command."
    special = SPECIAL.get(name)
    if special is not None:
        return special(call)
    allowed = READ_ONLY.get(name)
    if allowed is None:
        return f"It is not known that {name} only reads."
    if name in TESTERS:
        return "" if call.args[1:2] == () or call.args[1].value != "-v" else "It sets a variable."
    if any(arg.value is None and not arg.known for arg in call.args):
        return "A word of it is not known."
    entry = FILES.get(name)
    split = split_options(call.args[1:], entry.all_values if entry else MISC_VALUES.get(name, frozenset()))
    return _options(name, split, allowed) or _operands(name, split) or _program(name, split)


def _options(name: str, split: Split, allowed: frozenset[str]) -> str:
    for option in split.options:
        if option.name not in allowed:
            return f"{name} {option.name} is not among the options that are known to only read."
    return ""


def _operands(name: str, split: Split) -> str:
    texts = [arg.value or "" for arg in split.operands]
    if name in NO_OPERANDS and texts:
        return f"{name} with an operand may do more than read."
    if name in ("uniq", "xxd") and len(texts) > 1:
        return f"{name} writes its second operand."
    if name == "date" and any(not text.startswith("+") for text in texts):
        return "date with an operand sets the clock."
    if name == "command" and not split.options:
        return "command runs another command."
    return ""


def _program(name: str, split: Split) -> str:
    reads = PROGRAMS.get(name)
    if reads is None:
        return ""
    given = [option.value for option in split.options if option.name in ("-e", "--expression")]
    programs = given or list(split.operands[:1])
    if not programs:
        return f"{name} has no program."
    for program in programs:
        if program is None or program.value is None or not reads(program.value):
            return f"It is not known that this program of {name} only reads."
    return ""


def _find(call: Call) -> str:
    args = call.args[1:]
    at = 0
    starts = {arg.number for arg in find_starts(args)}
    while at < len(args):
        arg = args[at]
        value = arg.value
        if value is None:
            return "A word of find is not known."
        if arg.number in starts or value in FIND_TESTS:
            at += 1
        elif value in FIND_VALUES or value.startswith("-newer"):
            at += 2
        else:
            return f"find {shortened(value, 40)} is not among what is known to only read."
    return ""


def _git(call: Call) -> str:
    at = 1
    args = call.args
    while at < len(args) and (args[at].value or "").startswith("-"):
        if args[at].value == "-C" and at + 1 < len(args):
            at += 2
        elif args[at].value in GIT_GLOBAL:
            at += 1
        else:
            return f"git {args[at].value} is not among the options that are known to only read."
    sub = args[at].value if at < len(args) else None
    allowed = GIT_READ_ONLY.get(sub or "")
    if sub is None or allowed is None:
        return f"It is not known that git {sub or ''} only reads."
    entry = SUBS.get(sub)
    values = (entry.values | entry.reads | entry.writes) if entry else GIT_VALUES
    split = split_options(args[at + 1 :], values)
    first = split.operands[0].value or "" if split.operands else ""
    needed = GIT_NEEDS_WORD.get(sub)
    if needed is not None and first not in needed:
        return f"git {sub} {first} may do more than read."
    lists = GIT_LISTS.get(sub)
    if lists is not None and split.operands and not any(option.name in lists for option in split.options):
        return f"git {sub} with a name may make something."
    return _options(f"git {sub}", split, allowed)


GIT_VALUES = names("--sort --format --contains --points-at --count --match --abbrev -n --since --until")
SPECIAL: dict[str, Callable[[Call], str]] = {"find": _find, "git": _git}
