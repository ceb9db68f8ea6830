"""What files git's sub-commands read and write, by a table. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from swarm.permissions.shell.calls import Call
from swarm.permissions.shell.expand import Arg
from swarm.permissions.shell.options import split_options, takes
from swarm.permissions.shell.subcommands import GLOBAL_VALUES, without_options
from swarm.permissions.shell.wrappers import names


@dataclass(frozen=True, slots=True)
class Sub:
    """A sub-command's operands: their role, its options with values or files, whether it walks."""

    role: str
    values: frozenset[str] = frozenset()
    reads: frozenset[str] = frozenset()
    writes: frozenset[str] = frozenset()
    walks: bool = False
    pattern: bool = False
    last: str = ""
    skip: int = 0


# The role of a file that an option names to be written.
NAMED = "o"
ONLY_READING = names(
    "status log diff show blame annotate grep ls-files ls-tree ls-remote cat-file rev-parse rev-list "
    "branch tag remote describe shortlog reflog config for-each-ref count-objects fsck merge-base "
    "name-rev show-ref check-ignore check-attr whatchanged push add stage commit fetch archive "
    "format-patch bundle hash-object update-index help version var diff-tree diff-index diff-files "
    "cherry verify-commit notes update-ref gc"
)
LOG_VALUES = names(
    "-n -L -S -G -O -U --author --committer --grep --since --until --after --before --format --pretty "
    "--date --max-count --skip --diff-filter --stat --word-diff-regex --inter-hunk-context "
    "--src-prefix --dst-prefix --unified"
)
SUBS: dict[str, Sub] = {
    "add": Sub("r", names("--chmod"), names("--pathspec-from-file"), walks=True),
    "stage": Sub("r", names("--chmod"), names("--pathspec-from-file"), walks=True),
    "diff": Sub("r", LOG_VALUES, writes=names("--output"), walks=True),
    "show": Sub("r", LOG_VALUES, writes=names("--output"), walks=True),
    "log": Sub("r", LOG_VALUES, writes=names("--output"), walks=True),
    "whatchanged": Sub("r", LOG_VALUES, writes=names("--output"), walks=True),
    "blame": Sub("r", names("-L -S --date --since"), names("--contents --ignore-revs-file")),
    "annotate": Sub("r", names("-L -S --date"), names("--contents")),
    "cat-file": Sub("r", names("--batch --filter")),
    "hash-object": Sub("r", names("-t --path")),
    "grep": Sub("r", names("-A -B -C -m -O --max-depth --threads"), names("-f"), walks=True, pattern=True),
    "archive": Sub(
        "r", names("--format --prefix --remote"), names("--add-file"), names("-o --output"), walks=True
    ),
    "format-patch": Sub("s", LOG_VALUES, writes=names("-o --output-directory")),
    "commit": Sub(
        "r",
        names("-m -c -C --author --date --fixup --squash --cleanup --trailer"),
        names("-F -t --file --template --pathspec-from-file"),
        walks=True,
    ),
    "tag": Sub("s", names("-m -u --format --sort"), names("-F --file")),
    "checkout": Sub("w", names("-b -B --orphan --conflict"), names("--pathspec-from-file"), walks=True),
    "restore": Sub("w", names("-s --source --conflict"), names("--pathspec-from-file"), walks=True),
    "rm": Sub("d", frozenset(), names("--pathspec-from-file"), walks=True),
    "mv": Sub("rw", last="w"),
    "clean": Sub("d", names("-e --exclude"), walks=True),
    "apply": Sub("r", names("-p -C --whitespace --exclude --include"), writes=names("--directory")),
    "am": Sub("r", names("-p -C --whitespace"), writes=names("--directory")),
    "clone": Sub(
        "s",
        names("-b -c -j --branch --depth --origin --config --filter"),
        names("--template --reference"),
        last="w",
    ),
    "init": Sub(
        "w", names("-b --initial-branch --object-format"), names("--template"), names("--separate-git-dir")
    ),
    "worktree": Sub("w", names("-b -B --reason"), skip=1),
    "config": Sub("s", names("--type --default --get-all"), writes=names("-f --file --blob")),
    "ls-files": Sub("s", reads=names("-X --exclude-from")),
    "update-index": Sub("r", names("--chmod --cacheinfo")),
    "submodule": Sub("s", last="w"),
    "bundle": Sub("w", skip=1),
    "stash": Sub("s", names("-m"), names("--pathspec-from-file")),
    "difftool": Sub("r", LOG_VALUES, walks=True),
}


def git_touches(call: Call) -> Iterator[tuple[Arg, str, bool]]:
    """Each word that names a file, its role, and whether all below it is meant."""
    stripped = without_options(call)
    if stripped is None:
        return
    words = stripped[0]
    sub = SUBS.get(words[1].value or "")
    place = folder_option(call)
    if words[1].value not in ONLY_READING:
        yield from _trees(call, place)
    if sub is None:
        return
    split = split_options(words[2:], sub.values | sub.reads | sub.writes)
    for option in split.options:
        if option.value is not None and takes(option.name, sub.writes):
            yield placed(place, option.value), NAMED, False
        elif option.value is not None and takes(option.name, sub.reads):
            yield placed(place, option.value), "r", False
    if words[1].value == "checkout" and any(
        option.name in ("-b", "-B", "--orphan") for option in split.options
    ):
        return
    operands = list(split.operands[sub.skip :])
    if sub.pattern and not split.has(names("-e -f")):
        operands = operands[1:]
    for at, arg in enumerate(operands):
        last = at == len(operands) - 1
        role = sub.last if sub.last and last and at else sub.role
        if role != "s":
            yield placed(place, _in_tree(arg)), role, sub.walks
    whole = (
        sub.walks and not operands and split.has(names("-A --all")) and words[1].value in ("add", "stage")
    )
    if words[1].value in ("apply", "am"):
        yield placed(place, Arg(".", ".", 0, 0, 0)), "w", True
    if words[1].value == "init" and not operands:
        yield placed(place, Arg(".", ".", 0, 0, 0)), "w", False
    if (sub.pattern and not operands) or whole:
        yield placed(place, Arg(".", ".", 0, 0, 0)), "r", True


def _trees(call: Call, place: Arg | None) -> Iterator[tuple[Arg, str, bool]]:
    """Folders that options send git to: what changes a tree may write anything there."""
    args = call.args
    if place is not None:
        yield place, "w", True
    for at, arg in enumerate(args[1:-1], 1):
        text = arg.value or arg.prefix
        name, equals, inline = text.partition("=")
        if name in ("--work-tree", "--git-dir"):
            value = replace(arg, value=inline if arg.value is not None else None, pattern="")
            yield placed(place, value if equals else args[at + 1]), "w", True


def _in_tree(arg: Arg) -> Arg:
    """The path in `REVISION:PATH`, and without git's own magic."""
    text = arg.value
    if text is None:
        return arg
    if text.startswith(":(") and ")" in text:
        return replace(arg, value=text.partition(")")[2] or ".")
    if text.startswith((":/", ":!", ":^")):
        return replace(arg, value=text[2:] or ".")
    _, colon, path = text.rpartition(":")
    return replace(arg, value=path) if colon and path and "://" not in text else arg


def folder_option(call: Call) -> Arg | None:
    """Where `-C` sends git; several follow each other."""
    found: Arg | None = None
    args = call.args
    for at in range(1, len(args) - 1):
        text = args[at].value
        if text is not None and not text.startswith("-") and args[at - 1].value not in GLOBAL_VALUES["git"]:
            break
        if text == "-C":
            found = placed(found, args[at + 1])
    return found


def placed(folder: Arg | None, arg: Arg) -> Arg:
    """A word as seen from another folder."""
    if folder is None or (arg.value or "").startswith("/"):
        return arg
    if folder.value is None or arg.value is None:
        return replace(arg, value=None, prefix="")
    pattern = f"{folder.value}/{arg.pattern}" if arg.pattern else ""
    return replace(arg, value=f"{folder.value}/{arg.value}", pattern=pattern)
