"""Built-in commands that change the shell's own state or run text: a table of what each does here."""

from collections.abc import Callable

from swarm.permissions.shell.calls import Call
from swarm.permissions.shell.expand import Arg
from swarm.permissions.shell.reading import parse
from swarm.permissions.shell.scope import Scope
from swarm.permissions.shell.syntax import Redirect
from swarm.permissions.shell.variables import holds_command, names_command, risky
from swarm.permissions.shell.walk import Walk

MOST_PARAMETERS = 9
CHANGING = frozenset(
    {"dotglob", "nocaseglob", "nocasematch", "globstar", "extglob", "lastpipe", "expand_aliases"}
    | {"sourcepath", "cdable_vars", "autocd", "cdspell"}
)
# What reading a text costs of the work for the whole command, besides a step for each of its letters.
STEP = 10

Runner = Callable[[Walk, tuple[Arg, ...], Scope, list[Redirect]], Call]
Builtin = Callable[[Walk, Call, Scope, Runner], None]


def run_text(walk: Walk, call: Call, texts: tuple[Arg, ...], scope: Scope, joint: bool = True) -> None:
    """Go through words as shell text; what it runs is noted as run by the call."""
    for group in [texts] if joint and texts else [(text,) for text in texts]:
        known = [arg.value if arg.value is not None else f"{arg.prefix}$_" for arg in group]
        if any(arg.value is None for arg in group):
            walk.hinder(group[0].start, group[-1].end, "it runs a text that cannot be known", unknown=True)
        outer = walk.span
        walk.span = walk.place(group[0].start, group[-1].end)
        text = " ".join(known)
        scope.work.spend(STEP + len(text))
        parsed = parse(text)
        if parsed.broken:
            why = f"the shell text in it cannot be read: {parsed.broken}"
            walk.hinder(0, 0, why, unknown=True, unread=parsed.too_much or risky(text))
        before = len(walk.findings.calls)
        after = walk.script(parsed.script, scope)
        scope.folders, scope.values, scope.doubtful = after.folders, after.values, after.doubtful
        call.inner.extend(walk.findings.calls[before:])
        del walk.findings.calls[before:]
        walk.span = outer


def run_value(walk: Walk, name: str, value: str, span: tuple[int, int], scope: Scope) -> None:
    """A variable's value that others run: noted as what may be run."""
    if not (names_command(name) and value):
        return
    start, end = span
    text = Arg(value, value, start, end, 0)
    holder = Call((text,), value, *walk.place(start, end), scope.folders)
    run_text(walk, holder, (text,), scope.copy())
    walk.findings.maybe.extend(holder.inner)


def set_variable(walk: Walk, arg: Arg, scope: Scope) -> None:
    """`NAME=value` among the words of a program that sets variables for another one."""
    name, _, value = (arg.value or arg.prefix).partition("=")
    walk.sets(name, arg.start, arg.end, value if arg.value is not None else None)
    run_value(walk, name, value, (arg.start, arg.end), scope)


def _uncovered(walk: Walk, call: Call, why: str, unknown: bool = False) -> None:
    walk.hinder(call.start, call.end, why, unknown)


def change_folder(walk: Walk, call: Call, scope: Scope, run: Runner) -> None:
    """cd"""
    operands = [arg for arg in call.args[1:] if arg.value not in ("-L", "-P", "-e", "-@", "--")]
    physical = any(arg.value == "-P" for arg in call.args)
    if not operands:
        homes = scope.look_up("HOME")[0]
        scope.enter(homes[0] if homes else None)
        return
    target = operands[0]
    if (
        len(operands) > 1
        or target.value is None
        or target.value == "-"
        or target.pattern
        or not target.value
    ):
        scope.enter(None)
        _uncovered(walk, call, "where this cd leads is not known")
        return
    if physical and ".." in target.value:
        scope.enter(None)
        _uncovered(walk, call, "where this cd leads is not known")
        return
    if "CDPATH" in scope.values and not target.value.startswith(("/", ".")):
        scope.enter(None)
        return
    scope.enter(target.value)


def stack_folder(walk: Walk, call: Call, scope: Scope, run: Runner) -> None:
    """pushd and popd"""
    scope.enter(None)
    _uncovered(walk, call, f"where {call.name} leads is not known")


def evaluate(walk: Walk, call: Call, scope: Scope, run: Runner) -> None:
    """eval"""
    _uncovered(walk, call, "`eval` runs text, which no rule covers")
    if len(call.args) > 1:
        run_text(walk, call, call.args[1:], scope)
    if any(arg.value is None for arg in call.args):
        scope.forget()


def source(walk: Walk, call: Call, scope: Scope, run: Runner) -> None:
    """source"""
    _uncovered(walk, call, f"`{call.name}` runs a file's text, which cannot be known", unknown=True)
    scope.forget()


def trap(walk: Walk, call: Call, scope: Scope, run: Runner) -> None:
    """trap"""
    _uncovered(walk, call, "`trap` runs text later, which no rule covers")
    operands = tuple(arg for arg in call.args[1:] if arg.value not in ("--", "-p", "-l", "-"))
    if operands:
        run_text(walk, call, operands[:1], scope.copy())


def alias(walk: Walk, call: Call, scope: Scope, run: Runner) -> None:
    """alias"""
    _uncovered(walk, call, "`alias` changes what names mean, which no rule covers")
    for arg in call.args[1:]:
        name, equals, text = (arg.value or "").partition("=")
        if arg.value is None:
            _uncovered(walk, call, "what the alias runs cannot be known", unknown=True)
        elif equals:
            meant = Arg(text, arg.raw, arg.start, arg.end, arg.number)
            run_text(walk, call, (meant,), scope.copy())
            if name in ("cd", "sudo", "eval", "exec"):
                scope.forget()


def rebind(walk: Walk, call: Call, scope: Scope, run: Runner) -> None:
    """enable, hash, complete, bind"""
    if len(call.args) > 1:
        _uncovered(
            walk, call, f"`{call.name}` changes what names mean, which cannot be followed", unknown=True
        )


def assign_names(walk: Walk, call: Call, scope: Scope, run: Runner) -> None:
    """read and its kin: the variables they name are not known from then on"""
    for arg in call.args[1:]:
        value = arg.value
        if value is None:
            scope.forget()
        elif value and not value.startswith("-"):
            name = value.partition("=")[0].partition("[")[0].rstrip("+")
            if holds_command(value):
                _uncovered(walk, call, "a name in it would run a command", unknown=True)
            if name.isidentifier():
                walk.sets(name, call.start, call.end)
                scope.put(name, None)
                walk.armed = walk.armed or call.name == "read"
    if call.name in ("mapfile", "readarray") and any(
        (arg.value or "").startswith("-C") for arg in call.args[1:]
    ):
        _uncovered(walk, call, "it calls back text", unknown=True)


def print_into(walk: Walk, call: Call, scope: Scope, run: Runner) -> None:
    """printf -v"""
    if len(call.args) > 2 and call.args[1].value == "-v":
        name = call.args[2].value or ""
        if not name.isidentifier():
            _uncovered(walk, call, "which variable it sets is not known", unknown=True)
        walk.sets(name, call.start, call.end)
        scope.put(name, None)
        walk.armed = True


def declare(walk: Walk, call: Call, scope: Scope, run: Runner) -> None:
    """declare, export and their kin"""
    for arg in call.args[1:]:
        value = arg.value
        if value is None or value.startswith("-"):
            if arg.prefix and "=" in arg.prefix:
                scope.put(arg.prefix.partition("=")[0], None)
            continue
        name, equals, text = value.partition("=")
        if equals and name.isidentifier():
            scope.put(name, (text,))
            set_variable(walk, arg, scope)
        elif equals:
            scope.put(name.rstrip("+").partition("[")[0], None)
            if holds_command(name):
                _uncovered(walk, call, "an index in it would run a command", unknown=True)
    if any(
        (arg.value or "").startswith("-") and set(arg.value or "") & set("niAa") for arg in call.args[1:]
    ):
        assign_names(walk, call, scope, run)


def exchange(walk: Walk, call: Call, scope: Scope, run: Runner) -> None:
    """exec with a command; without one it only redirects"""
    _uncovered(walk, call, "`exec` replaces the shell, which no rule covers")
    rest = call.args[1:]
    while rest and rest[0].value in ("-c", "-l", "-cl", "-lc", "-a", "--"):
        rest = rest[2:] if rest[0].value == "-a" else rest[1:]
    if rest:
        call.inner.append(run(walk, rest, scope.copy(), []))


def examine_names(walk: Walk, call: Call, scope: Scope, run: Runner) -> None:
    """test -v reads a name, and runs what stands in its index"""
    for arg in call.args[1:]:
        if arg.value is not None and "[" in arg.value and holds_command(arg.value):
            _uncovered(walk, call, "an index in it would run a command", unknown=True)


def set_parameters(walk: Walk, call: Call, scope: Scope, run: Runner) -> None:
    """set and shift: the positional parameters are others from then on"""
    args = call.args[1:]
    at, all_given = 0, call.name == "shift"
    while call.name == "set" and at < len(args) and (args[at].value or "")[:1] in ("-", "+"):
        value = args[at].value or ""
        at += 2 if value[-1] == "o" else 1
        if value in ("--", "-"):
            all_given = True
            break
    if not all_given and at >= len(args):
        return
    given = args[at:]
    plain = call.name == "set" and all(arg.value is not None and arg.unsplit for arg in args)
    for place in range(1, MOST_PARAMETERS + 1):
        arg = given[place - 1] if place <= len(given) else None
        scope.put(str(place), (arg.value,) if plain and arg is not None and arg.value is not None else None)


def set_options(walk: Walk, call: Call, scope: Scope, run: Runner) -> None:
    """shopt: some options change what patterns stand for, and what words mean"""
    if any(arg.value is None or arg.value in CHANGING for arg in call.args[1:]):
        _uncovered(walk, call, "`shopt` changes what patterns and names mean", unknown=True)


BUILTINS: dict[str, Builtin] = {
    "set": set_parameters,
    "shift": set_parameters,
    "shopt": set_options,
    "cd": change_folder,
    "pushd": stack_folder,
    "popd": stack_folder,
    "eval": evaluate,
    "source": source,
    ".": source,
    "trap": trap,
    "alias": alias,
    "enable": rebind,
    "hash": rebind,
    "complete": rebind,
    "bind": rebind,
    "read": assign_names,
    "mapfile": assign_names,
    "readarray": assign_names,
    "getopts": assign_names,
    "let": assign_names,
    "unset": assign_names,
    "printf": print_into,
    "test": examine_names,
    "[": examine_names,
    "declare": declare,
    "typeset": declare,
    "export": declare,
    "readonly": declare,
    "local": declare,
    "exec": exchange,
}
