"""Finding what a wrapper runs among its words, by its line in the table. Pure."""

import re
from dataclasses import dataclass, field

from swarm.permissions.shell.expand import Arg
from swarm.permissions.shell.wrappers import FD_RUNNERS, FIND_RUNNERS, Runs, Wrapper

REPLACING = re.compile("[IJ]")
CLUSTER = re.compile(r"-[0oprtx]*[IJi]")
NUMBER = re.compile(r"--?[0-9]+")
FD_CLUSTER = re.compile(r"-[HIsigalLpu01q]*[xX](.*)", re.DOTALL)
FOLDER_OPTIONS = frozenset({"-C", "--chdir", "-D", "--wd"})


@dataclass(slots=True)
class Unwrapped:
    """`rest` is what runs; `texts` are options' shell texts; `doubtful`: the options cannot be known."""

    rest: tuple[Arg, ...] = ()
    texts: list[Arg] = field(default_factory=list)
    clear: bool = False
    doubtful: bool = False
    folder: Arg | None = None
    assigned: list[Arg] = field(default_factory=list)


def unwrap(args: tuple[Arg, ...], wrapper: Wrapper) -> Unwrapped:
    """Read a wrapper's options and operands. `args` begin after its name."""
    found = Unwrapped(clear=wrapper.clear)
    operands = wrapper.operands
    at = 0
    while at < len(args):
        arg = args[at]
        value = arg.value
        if value is None:
            if operands and arg.single:
                operands -= 1
                at += 1
                continue
            if arg.prefix.startswith("-") or (not arg.single and not arg.prefix):
                found.doubtful = True
                found.clear = False
                at += 1
                continue
            break
        if value == "--":
            at += 1
            at += operands
            break
        if value == "-" and not operands:
            at += 1
            continue
        if value.startswith("-") and len(value) > 1:
            at += _option(args, at, wrapper, found)
        elif wrapper.assigns and "=" in value:
            found.clear = False
            found.assigned.append(arg)
            at += 1
        elif operands:
            operands -= 1
            at += 1
        elif wrapper.runs is Runs.NOTHING:
            at += 1
        else:
            break
    found.rest = args[at:]
    return found


def _option(args: tuple[Arg, ...], at: int, wrapper: Wrapper, found: Unwrapped) -> int:
    """Read one option; tells how many words it takes."""
    value = args[at].value or ""
    following = args[at + 1] if at + 1 < len(args) else None
    if value.startswith("--"):
        name, equals, inline = value.partition("=")
        return _long(name, equals, inline, args[at], following, wrapper, found)
    if wrapper.number and NUMBER.fullmatch(value):
        return 1
    if value in wrapper.flags:
        return 1
    for place, letter in enumerate(value[1:], 1):
        option = "-" + letter
        rest = value[place + 1 :]
        if option in wrapper.opaque:
            found.clear = False
        if option in wrapper.texts or option in wrapper.values:
            holder = _inline(args[at], rest) if rest else following
            if option in wrapper.texts and holder is not None:
                found.texts.append(holder)
            elif option in FOLDER_OPTIONS:
                found.folder = holder
            return 1 if rest else 2
        if option not in wrapper.flags:
            found.clear = False
    return 1


def _long(
    name: str, equals: str, inline: str, arg: Arg, following: Arg | None, wrapper: Wrapper, found: Unwrapped
) -> int:
    if name in wrapper.opaque or not (name in wrapper.flags or name in wrapper.values):
        found.clear = False
    takes = name in wrapper.values or name in wrapper.texts
    holder = _inline(arg, inline) if equals else following
    if name in wrapper.texts and holder is not None:
        found.texts.append(holder)
    elif name in FOLDER_OPTIONS:
        found.folder = holder
    return 2 if takes and not equals else 1


def _inline(arg: Arg, text: str) -> Arg:
    return Arg(text, arg.raw, arg.start, arg.end, arg.number, arg.known)


def placeholders(options: tuple[Arg, ...]) -> tuple[str, ...]:
    """The signs for which xargs puts in what it reads, by its options."""
    found: list[str] = []
    for at, arg in enumerate(options):
        text = arg.value or ""
        following = options[at + 1].value if at + 1 < len(options) else None
        if text.startswith("--replace"):
            found.append(text.partition("=")[2] or "{}")
        elif CLUSTER.match(text):
            sign = (
                text.partition("i")[2] if "i" in text and "I" not in text else REPLACING.split(text, 1)[1]
            )
            found.append(sign or ("{}" if "i" in text and "I" not in text else following or "{}"))
    return tuple(found)


def found_commands(args: tuple[Arg, ...]) -> list[tuple[Arg, ...]]:
    """What find runs: the words behind each -exec, `{}` put in place. `args` begin after its name."""
    starts: list[Arg | None] = [*find_starts(args)] or [None]
    commands: list[tuple[Arg, ...]] = []
    at = 0
    while at < len(args):
        if args[at].value not in FIND_RUNNERS:
            at += 1
            continue
        end = at + 1
        while end < len(args) and args[end].value != ";" and not _ends_with_plus(args, end):
            end += 1
        commands.extend(tuple(_placed(arg, start) for arg in args[at + 1 : end]) for start in starts[:4])
        at = end + 1
    return commands


def _ends_with_plus(args: tuple[Arg, ...], at: int) -> bool:
    return args[at].value == "+" and args[at - 1].value == "{}"


def find_starts(args: tuple[Arg, ...]) -> list[Arg]:
    """Where find begins to look."""
    starts: list[Arg] = []
    at = 0
    while at < len(args):
        value = args[at].value
        if value in ("-H", "-L", "-P") or (value is not None and value.startswith("-O")):
            at += 1
        elif value == "-D":
            at += 2
        elif value is not None and (value.startswith("-") or value in ("(", ")", "!", ",")):
            break
        else:
            starts.append(args[at])
            at += 1
    return starts


def _placed(arg: Arg, start: Arg | None) -> Arg:
    if arg.value is None or "{}" not in arg.value:
        return arg
    place = "." if start is None else start.value
    known = start is None or start.value is not None
    if place is not None:
        place = arg.value.replace("{}", place)
    return Arg(place, arg.raw, arg.start, arg.end, arg.number, known, below=True)


def fd_commands(args: tuple[Arg, ...]) -> list[tuple[Arg, ...]]:
    """What fd runs: the words behind -x or -X."""
    for at, arg in enumerate(args):
        text = arg.value or ""
        name, equals, inline = text.partition("=")
        glued = FD_CLUSTER.fullmatch(text)
        if name in FD_RUNNERS or glued:
            first = inline if equals and not glued else glued[1] if glued else ""
            rest = (*([_inline(arg, first)] if first else []), *args[at + 1 :])
            end = next((place for place, other in enumerate(rest) if other.value == ";"), len(rest))
            return [tuple(_placed(word, None) for word in rest[:end])]
    return []
