"""Going through parsed shell text in the order it would run, with what is known of the shell's state."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from swarm.permissions.shell.calls import Findings, Hindrance
from swarm.permissions.shell.expand import Arg, expand
from swarm.permissions.shell.idioms import plain_text
from swarm.permissions.shell.redirects import note_redirects
from swarm.permissions.shell.scope import ELSEWHERE, Scope, joined
from swarm.permissions.shell.shapes import TAME, of_word
from swarm.permissions.shell.syntax import (
    Arithmetic,
    Branches,
    Command,
    Coprocess,
    Expression,
    Function,
    Group,
    Literal,
    Loop,
    Part,
    Pipeline,
    Redirect,
    Script,
    Simple,
    Substitution,
    Variable,
    Word,
)
from swarm.permissions.shell.variables import holds_command, loading, powerful, reads_variables
from swarm.permissions.shortening import shortened

if TYPE_CHECKING:
    from collections.abc import Callable

MOST_STEPS = 300
# What going into any command costs of the work for the whole.
COMMAND = 10
ARMED = "a value may be run as a command where numbers or names are read out of it"
SUBSTITUTES = "a substitution runs a command of its own, which no rule covers"


@dataclass(slots=True)
class Outcome:
    """The state after a command that succeeded, and after one that failed."""

    ok: Scope
    failed: Scope

    def either(self) -> Scope:
        """The state where it is not known which."""
        return joined(self.ok, self.failed)


class Walk:
    """Collects what a text could do. `simple` goes through a simple command.

    `span` is where text stands that was read out of another text.
    """

    def __init__(self, simple: "Callable[[Walk, Simple, Scope], Outcome]") -> None:
        self.simple = simple
        self.findings = Findings()
        self.steps = 0
        self.tired = False
        self.nesting = 0
        self.armed = False
        self.span: tuple[int, int] | None = None

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Where something stands in the outermost text."""
        return self.span or (start, end)

    def hinder(
        self,
        start: int,
        end: int,
        why: str,
        unknown: bool = False,
        blocks: bool = True,
        unread: bool = False,
    ) -> None:
        """Note a stretch that is not covered or not known."""
        start, end = self.place(start, end)
        self.findings.hindrances.append(Hindrance(start, end, why, unknown, blocks, unread))

    def too_much(self, scope: Scope) -> bool:
        """Whether more was done already than is for one command: what is left stays unread."""
        if self.steps <= MOST_STEPS and scope.work.left >= 0:
            return False
        if not self.tired:
            self.tired = True
            self.hinder(0, 0, "the command has too many parts", unknown=True, unread=True)
        return True

    def script(self, script: Script, scope: Scope) -> Scope:
        """Go through commands one after the other."""
        current = Outcome(scope, scope)
        sign = ";"
        for command, following in script.items:
            current = self._next(command, following, current, sign)
            sign = following
        return current.either()

    def _next(self, command: Command, following: str, before: Outcome, sign: str) -> Outcome:
        if following == "&":
            start = getattr(command, "start", 0)
            self.hinder(
                start, getattr(command, "end", start), "it runs in the background, which no rule covers"
            )
        if sign == "&&":
            found = self._run(command, following, before.ok.copy())
            return Outcome(found.ok, joined(before.failed, found.failed))
        if sign == "||":
            found = self._run(command, following, before.failed.copy())
            return Outcome(joined(before.ok, found.ok), found.failed)
        return self._run(command, following, before.either())

    def _run(self, command: Command, following: str, scope: Scope) -> Outcome:
        if following != "&":
            return self.command(command, scope)
        self.command(command, scope.copy())
        return Outcome(scope, scope)

    def command(self, command: Command, scope: Scope) -> Outcome:
        """Go through one command of any kind."""
        scope.work.spend(COMMAND)
        if self.too_much(scope):
            return Outcome(scope, scope)
        match command:
            case Simple():
                return self.simple(self, command, scope)
            case Pipeline():
                for part in command.commands:
                    self.command(part, scope.copy())
            case Group():
                self.redirects(command.redirects, scope)
                after = self.script(command.body, scope.copy() if command.subshell else scope)
                scope = scope if command.subshell else after
            case Branches():
                scope = self._branches(command, scope)
            case Loop():
                scope = self._loop(command, scope)
            case Expression():
                self.redirects(command.redirects, scope)
                for word in command.words:
                    self.parts(word.parts, scope)
                    self._evaluated(word, command.arithmetic)
            case Function():
                self._function(command, scope)
            case Coprocess():
                self.hinder(command.start, command.end, "it runs beside the shell, which no rule covers")
                self.command(command.body, scope.copy())
        return Outcome(scope, scope)

    def _evaluated(self, word: Word, arithmetic: bool) -> None:
        """A test reads names of variables out of its words, and runs what stands in their indexes."""
        quoted = any(isinstance(part, Literal) and holds_command(part.text) for part in word.parts)
        if quoted or (self.armed and not arithmetic):
            self.hinder(word.start, word.end, ARMED, unknown=True)

    def sets(self, name: str, start: int, end: int, value: str | None = None) -> None:
        """Note that a variable is set in another way than by an assignment before a command."""
        if loading(name, value):
            self.hinder(start, end, f"{name} makes programs run what cannot be known", unknown=True)
        elif powerful(name):
            self.hinder(start, end, f"setting {name} may change what commands do")

    def _function(self, command: Function, scope: Scope) -> None:
        self.hinder(command.start, command.end, "it defines a function, which no rule covers")
        scope.functions[command.name] = command.body
        after = self.command(command.body, scope.copy()).either()
        for name, values in after.values.items():
            if scope.values.get(name, ()) != values:
                scope.put(name, None)

    def _branches(self, command: Branches, scope: Scope) -> Scope:
        self.redirects(command.redirects, scope)
        for word in command.words:
            self.parts(word.parts, scope)
        for condition in command.conditions:
            scope = joined(scope, self.script(condition, scope.copy()))
        after = scope
        for body in command.bodies:
            after = joined(after, self._repeated(body, scope.copy()))
        return after

    def _repeated(self, body: Script, scope: Scope) -> Scope:
        """Go through a body that may run several times: what it leaves may be what it meets."""
        after = self.script(body, scope.copy())
        if after.folders == scope.folders and after.values == scope.values:
            return after
        again = joined(scope, after)
        changed = {name for name, values in again.values.items() if values != scope.values.get(name)}
        again.doubtful |= changed
        if again.folders != scope.folders:
            again.folders = (*again.folders, ELSEWHERE)
        return joined(again, self.script(body, again.copy()))

    def _loop(self, command: Loop, scope: Scope) -> Scope:
        self.redirects(command.redirects, scope)
        values: dict[str, None] = {}
        shapes: set[str] = set()
        listed = command.words is not None
        for word in command.words or []:
            self.parts(word.parts, scope)
            for choice in expand(word, scope):
                for arg in choice:
                    shapes.add(of_word(arg.value, arg.pattern, arg.shape))
                    if arg.value is None or arg.pattern:
                        listed = False
                    else:
                        values[arg.value] = None
        self.sets(command.name, command.start, command.start)
        self.armed = self.armed or any(map(holds_command, values))
        inner = scope.copy()
        inner.put(command.name, tuple(values) if listed else None)
        if shapes == {TAME}:
            inner.shapes[command.name] = TAME
        return joined(scope, self._repeated(command.body, inner))

    def redirects(self, redirects: list[Redirect], scope: Scope) -> None:
        """Note the files that are redirected."""
        note_redirects(self, redirects, scope)

    def unknown_arg(self, arg: Arg) -> None:
        """Note a word that no allow rule covers because its value is not known."""
        if not arg.known:
            self.hinder(arg.start, arg.end, f"the value of {shortened(arg.raw)} is not known")

    def parts(self, parts: list[Part], scope: Scope) -> None:
        """Go through what expansions in a word run."""
        for part in parts:
            match part:
                case Literal():
                    pass
                case Substitution():
                    self._substitution(part, scope)
                case Variable():
                    self._variable(part, scope)
                case Arithmetic():
                    self.parts(part.parts, scope)
                    if self.armed and reads_variables(part.text):
                        self.hinder(0, 0, ARMED, unknown=True)

    def _substitution(self, part: Substitution, scope: Scope) -> None:
        before = len(self.findings.calls)
        idiom = plain_text(part) is not None
        if not idiom:
            self.hinder(part.start, part.end, SUBSTITUTES)
        self.script(part.script, scope.copy())
        for call in self.findings.calls[before:]:
            call.idiom = idiom or call.idiom

    def _variable(self, part: Variable, scope: Scope) -> None:
        if part.argument is not None:
            self.parts(part.argument.parts, scope)
            if part.operator in ("=", ":="):
                self.sets(part.name, part.argument.start, part.argument.end)
                scope.put(part.name, None)
            elif part.operator == "@" and part.argument.raw.startswith("P"):
                self.hinder(
                    part.argument.start, part.argument.end, "a prompt expansion runs text", unknown=True
                )
