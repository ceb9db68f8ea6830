"""What files a command reads, writes or deletes, by the table of operands. Pure."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from swarm.permissions.shell.calls import Call
from swarm.permissions.shell.expand import Arg
from swarm.permissions.shell.operands import BOTH, DELETE, FILES, PROGRAM, READ, SKIP, Files
from swarm.permissions.shell.operands_odd import TAR_READS, TAR_VALUES
from swarm.permissions.shell.options import Split, split_options, takes
from swarm.permissions.shell.touch import HERE, Touch, below
from swarm.permissions.shell.touches_fetched import container, curl, downloaded
from swarm.permissions.shell.touches_git import NAMED, git_touches
from swarm.permissions.shell.touches_in_place import edited_in_place
from swarm.permissions.shell.unwrap import find_starts
from swarm.permissions.shell.wrappers import FIND_RUNNERS, SHELLS, interpreter, names

MILD = names("mkdir touch chmod chown chgrp mkfifo make gmake")
JQ_NAMING = names("--arg --argjson --rawfile --slurpfile --argfile")
OLD_VALUES = frozenset("fbCFHIKLNTVXg")
INTO = names("-t --target-directory")
FIND_WRITES = names("-fprint -fprint0 -fls -fprintf")
FIND_READS = names("-newer -anewer -cnewer -samefile -files0-from")


def touches(call: Call) -> Iterator[Touch]:
    """The files that one command names. What it runs in turn is not looked into."""
    name = call.name or ""
    odd = ODD.get(name)
    entry = FILES.get(name)
    if odd is not None:
        yield from odd(call)
    elif entry is not None:
        found = _by_table(call, entry)
        yield from (replace(touch, mild=True) for touch in found) if name in MILD else found
        if name == "wget":
            yield from downloaded(call)
    elif interpreter(name) or name in SHELLS:
        yield from _script(call)
    yield from edited_in_place(call)


def _role(arg: Arg, role: str, walks: bool, lists: bool) -> Iterator[Touch]:
    if role in (SKIP, PROGRAM):
        return
    if arg.value == "-":
        return
    yield Touch(arg, writes=role != READ, deletes=role == DELETE, walks=walks or arg.below, lists=lists)


def _by_table(call: Call, entry: Files) -> Iterator[Touch]:
    args = _without_names(call.args[1:]) if call.name == "jq" else call.args[1:]
    split = split_options(args, entry.all_values, entry.single_dash)
    given = {option.name for option in split.options}
    walks = "*" in entry.walks or any(takes(name, entry.walks) for name in given)
    if call.name == "rgrep":
        walks = True
    for option in split.options:
        if option.value is not None:
            if takes(option.name, entry.writes):
                yield Touch(option.value, writes=True)
            elif takes(option.name, entry.reads):
                yield Touch(option.value)
    roles = _roles(entry, split, given)
    if call.name == "link" or (call.name == "ln" and not split.has(names("-s --symbolic"))):
        roles = ["rw" for _ in roles]  # a hard link is another name to write the same file by
    for arg, role in zip(split.operands, roles, strict=False):
        moves = call.name == "mv" and role == BOTH
        yield from _role(arg, role, walks or moves, entry.lists)
    if entry.last:
        yield from _into_folder(entry, split)
    if call.name == "patch" and not split.operands:
        yield Touch(HERE, writes=True, walks=True)
    used = [role for role in roles if role not in (SKIP, PROGRAM)]
    if not used and (entry.lists or (walks and READ in (entry.rest, *entry.first) and not entry.last)):
        yield Touch(HERE, walks=walks, lists=True)


def _without_names(args: tuple[Arg, ...]) -> tuple[Arg, ...]:
    """The words of jq without the names that `--arg NAME value` and its kin give."""
    return tuple(arg for at, arg in enumerate(args) if not (at and args[at - 1].value in JQ_NAMING))


def _into_folder(entry: Files, split: Split) -> Iterator[Touch]:
    """What is put into a folder keeps its name there."""
    places = [option.value for option in split.options if option.value and takes(option.name, INTO)]
    sources = split.operands if places else split.operands[:-1]
    place = places[0] if places else split.operands[-1] if split.operands else None
    if place is None or place.value is None:
        return
    for source in sources:
        name = (source.value or "").rstrip("/").rpartition("/")[2]
        if name and not source.pattern and name not in (".", ".."):
            yield Touch(replace(place, value=f"{place.value}/{name}", pattern=""), writes=True, into=True)


def _roles(entry: Files, split: Split, given: set[str]) -> list[str]:
    first = list(entry.first)
    if first and first[0] == PROGRAM and any(takes(name, entry.programs) for name in given):
        first = first[1:]
    count = len(split.operands)
    roles = [*first[:count], *[entry.rest] * max(0, count - len(first))]
    has_place = any(takes(name, INTO) for name in given)
    if entry.last and count > 1 and not has_place:
        roles[-1] = entry.last
    if entry.places and any(takes(name, entry.places) for name in given):
        roles = ["w" if role == READ else role for role in roles]
    return roles


def _script(call: Call) -> list[Touch]:
    for arg in call.args[1:]:
        if arg.value in ("-c", "-e", "-m", "--eval", "-s") or (arg.value or "").startswith("-c"):
            return []
        if arg.value is None or not arg.value.startswith("-"):
            return [Touch(arg)]
    return []


def _find(call: Call) -> Iterator[Touch]:
    args = call.args[1:]
    starts = find_starts(args) or [HERE]
    texts = [arg.value for arg in args]
    deletes = "-delete" in texts or any(
        other.name in ("rm", "rmdir", "unlink", "shred")
        for inner in call.inner
        for other in (inner, *inner.inner)
    )
    for start in starts:
        yield Touch(start, writes=deletes, deletes=deletes, walks=True, lists=True)
    for at, text in enumerate(texts[:-1]):
        if text in FIND_WRITES:
            yield Touch(args[at + 1], writes=True)
        elif text in FIND_READS:
            yield Touch(args[at + 1])
        elif text in FIND_RUNNERS:
            return


def _dd(call: Call) -> Iterator[Touch]:
    for arg in call.args[1:]:
        text = arg.value if arg.value is not None else arg.prefix
        key, equals, rest = text.partition("=")
        if equals and key in ("if", "of"):
            value = rest if arg.value is not None else None
            yield Touch(replace(arg, value=value, prefix=rest, pattern=""), writes=key == "of")
        elif arg.value is None and not equals:
            yield Touch(arg, writes=True)


def _tar(call: Call) -> Iterator[Touch]:
    args = call.args[1:]
    if args and args[0].value and not args[0].value.startswith("-"):
        args = (replace(args[0], value="-" + args[0].value), *args[1:])
        args = tuple(_old_tar(args))
    split = split_options(
        args, TAR_VALUES | TAR_READS | names("-f -C -g --file --directory --listed-incremental")
    )
    given = {option.name for option in split.options}
    creates = bool(given & names("-c -r -u -A --create --append --update --concatenate"))
    extracts = bool(given & names("-x --extract --get"))
    for option in split.options:
        if option.value is None or option.value.value == "-":
            continue
        if takes(option.name, names("-f --file")):
            yield Touch(option.value, writes=creates)
        elif takes(option.name, names("-C --directory")):
            yield Touch(option.value, writes=extracts, walks=extracts)
        elif takes(option.name, TAR_READS):
            yield Touch(option.value)
    folder = next((o.value for o in split.options if takes(o.name, names("-C --directory"))), None)
    for arg in split.operands:
        placed = below(folder, arg)
        yield Touch(placed, writes=extracts, walks=creates)
    if extracts and folder is None and not split.operands:
        yield Touch(HERE, writes=True, walks=True)


def _old_tar(args: tuple[Arg, ...]) -> Iterator[Arg]:
    """Old-style keys: each key with a value takes the next word in turn."""
    keys = args[0].value or "-"
    at = 1
    valued = [key for key in keys[1:] if key in OLD_VALUES]
    for key in (*dict.fromkeys(keys[1:]).keys() - OLD_VALUES, *valued[: len(args)]):
        yield replace(args[0], value="-" + key)
        if key in OLD_VALUES and at < len(args):
            yield args[at]
            at += 1
    yield from args[at:]


def _unzip(call: Call) -> Iterator[Touch]:
    split = split_options(call.args[1:], names("-P -x -d"))
    for arg in split.operands[:1]:
        yield Touch(arg)
    if any(option.name in ("-l", "-p", "-t", "-v", "-Z", "-z") for option in split.options):
        return
    place = next((option.value for option in split.options if option.name == "-d"), None)
    yield Touch(place or HERE, writes=True, walks=True)


def _git(call: Call) -> Iterator[Touch]:
    for arg, role, walks in git_touches(call):
        if role == NAMED:
            yield Touch(arg, writes=True)
        else:
            yield from (replace(touch, mild=True) for touch in _role(arg, role, walks, walks))


ODD: dict[str, Callable[[Call], Iterator[Touch]]] = {
    "find": _find,
    "dd": _dd,
    "tar": _tar,
    "bsdtar": _tar,
    "curl": curl,
    "unzip": _unzip,
    "git": _git,
    "docker": container,
    "podman": container,
}
