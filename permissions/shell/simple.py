"""Going through simple commands: assignments, words, and what each command runs in turn."""

import re
from itertools import product

from swarm.permissions.shell.builtins import BUILTINS, run_value
from swarm.permissions.shell.calls import Call, Findings
from swarm.permissions.shell.expand import Arg, expand
from swarm.permissions.shell.grammar import DECLARING
from swarm.permissions.shell.plain import read_plain
from swarm.permissions.shell.programs import run_program
from swarm.permissions.shell.reading import parse
from swarm.permissions.shell.scope import Scope
from swarm.permissions.shell.shapes import TAME, UNKNOWN, of_word
from swarm.permissions.shell.syntax import Assignment, Redirect, Simple
from swarm.permissions.shell.variables import harmless, holds_command, loading, powerful, risky
from swarm.permissions.shell.walk import Outcome, Walk
from swarm.permissions.shortening import shortened

# `declare -n` and its kin: the value is another name, a number to be worked out, or a list.
REFERRING = re.compile(r"-\w*[niulc]")
MOST_COMBINATIONS = 32
DEEPEST_TEXT = 6
# What a command and each of its words cost of the work for the whole.
STEP, WORD = 12, 2


def read_commands(text: str, cwd: str, home: str) -> Findings:
    """All that shell text could do. Never raises for any text; takes linear time."""
    return read_plain(text, cwd) or read_any(text, cwd, home)


def read_any(text: str, cwd: str, home: str) -> Findings:
    """The same by the grammar and the walk, whatever the text is."""
    parsed = parse(text)
    walk = Walk(simple)
    scope = Scope(home, (cwd,))
    walk.script(parsed.script, scope)
    walk.too_much(scope)
    if parsed.broken:
        why = f"the shell text cannot be read: {parsed.broken}"
        walk.hinder(parsed.at, len(text), why, unknown=True, unread=parsed.too_much or risky(text))
    return walk.findings


def simple(walk: Walk, command: Simple, scope: Scope) -> Outcome:
    """Go through a simple command."""
    walk.steps += 1
    scope.work.spend(STEP * (1 + len(command.assignments)) + WORD * len(command.words))
    if walk.too_much(scope):
        return Outcome(scope, scope)
    for word in command.words:
        walk.parts(word.parts, scope)
    walk.redirects(command.redirects, scope)
    declares = bool(command.words)
    values = [_assign(walk, assignment, scope, declares) for assignment in command.assignments]
    assigned = tuple((name, text) for name, text, _ in values)
    if not command.words:
        return Outcome(scope, scope)
    names_it = command.words[0].plain is not None and not command.words[0].raw.startswith("~")
    choices = [expand(word, scope, number) for number, word in enumerate(command.words)]
    count = 1
    for at, options in enumerate(choices):
        count *= len(options)
        if count > MOST_COMBINATIONS:
            count = MOST_COMBINATIONS
            known = all(arg.known for option in options for arg in option)
            word = command.words[at]
            choices[at] = [
                (Arg(None, word.raw, word.start, word.end, at, known, single=False, unsplit=False),)
            ]
    folders = scope.folders
    for combination in product(*choices):
        args = tuple(arg for option in combination for arg in option)
        if not scope.work.spend(2 * len(args)):
            break
        for arg in args:
            walk.unknown_arg(arg)
        if args:
            call = run(walk, args, scope, command.redirects)
            call.assigned = assigned
            call.plain_name = names_it
            call.start, call.end = walk.place(command.start, command.end)
            walk.findings.calls.append(call)
    if command.words[0].raw in DECLARING:
        refers = any(REFERRING.match(word.raw) for word in command.words[1:])
        for name, _, meant in values:
            scope.put(name, None if refers else meant)
    if scope.folders == folders:
        return Outcome(scope, scope)
    failed = scope.copy()
    failed.folders = folders
    return Outcome(scope, failed)


def _assign(
    walk: Walk, assignment: Assignment, scope: Scope, leads: bool
) -> tuple[str, str, tuple[str, ...] | None]:
    """Note an assignment; one that leads a command is not set for that command's own words."""
    name = assignment.name
    words = (
        assignment.items if assignment.items is not None else [assignment.value] if assignment.value else []
    )
    values: list[str] | None = []
    shape = UNKNOWN
    for word in words:
        walk.parts(word.parts, scope)
        for choice in expand(word, scope):
            for arg in choice:
                walk.unknown_arg(arg)
                shape = of_word(arg.value, arg.pattern, arg.shape) if len(words) == 1 else UNKNOWN
            texts = [arg.value for arg in choice]
            whole = None if None in texts else " ".join(text for text in texts if text is not None)
            values = None if values is None or whole is None else [*values, whole]
    if not words:
        values = [""]
    raw = words[0].raw if len(words) == 1 else ""
    if (leads and not harmless(name)) or powerful(name):
        walk.hinder(assignment.start, assignment.end, f"setting {name} may change what commands do")
    if any(loading(name, value) for value in values or (None,)):
        walk.sets(name, assignment.start, assignment.end)
    for value in values or ():
        _watch(walk, assignment, value, scope)
    meant = tuple(values) if assignment.plain and values is not None else None
    if not leads:
        scope.put(name, meant)
        if meant is None and assignment.plain and shape == TAME:
            scope.shapes[name] = TAME
    return name, f"{name}={raw}", meant


def _watch(walk: Walk, assignment: Assignment, value: str, scope: Scope) -> None:
    """A value that may be run: as the command that a variable names, or when arithmetic reads it."""
    if holds_command(value):
        walk.armed = True
    run_value(walk, assignment.name, value, (assignment.start, assignment.end), scope)


def run(walk: Walk, args: tuple[Arg, ...], scope: Scope, redirects: list[Redirect]) -> Call:
    """Note what one command runs in turn."""
    first = args[0]
    start, end = walk.place(first.start, args[-1].end)
    call = Call(args, written(args), start, end, scope.folders)
    name = call.name
    if name is None:
        walk.hinder(
            first.start,
            first.end,
            f"which command {shortened(first.raw)} runs cannot be known",
            unknown=True,
        )
        return call
    if first.pattern or first.below:
        walk.hinder(first.start, first.end, "the command's name is a pattern", unknown=True)
    walk.nesting += 1
    if walk.nesting > DEEPEST_TEXT:
        walk.hinder(
            first.start, args[-1].end, "commands run each other too deeply", unknown=True, unread=True
        )
    elif name in scope.functions and walk.nesting < DEEPEST_TEXT:
        _call_function(walk, name, args, scope)
    elif name in BUILTINS:
        BUILTINS[name](walk, call, scope, run)
    else:
        run_program(walk, call, scope, redirects, run)
    walk.nesting -= 1
    return call


def _call_function(walk: Walk, name: str, args: tuple[Arg, ...], scope: Scope) -> None:
    """Go through a function's body with its own parameters."""
    kept = {key: values for key, values in scope.values.items() if key.isdigit()}
    plain = all(arg.value is not None and arg.unsplit for arg in args)
    for place, arg in enumerate(args[1:10], 1):
        scope.put(str(place), (arg.value,) if plain and arg.value is not None else None)
    after = walk.command(scope.functions[name], scope).either()
    scope.folders, scope.values, scope.doubtful = after.folders, after.values, after.doubtful
    scope.values = {key: values for key, values in scope.values.items() if not key.isdigit()} | kept


def written(args: tuple[Arg, ...]) -> str:
    """The words as they were written, each once, one blank between."""
    texts: list[str] = []
    last = -1
    for arg in args:
        if arg.number != last:
            texts.append(arg.raw)
            last = arg.number
    return " ".join(texts)
