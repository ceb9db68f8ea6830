"""Reading commands of shell text: lists, pipelines, compound commands, redirections. Evaluates nothing."""

import re
from collections.abc import Callable

from swarm.permissions.shell.heredocs import read_bodies
from swarm.permissions.shell.syntax import (
    Assignment,
    Branches,
    BrokenShell,
    Command,
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
    TooMuchShell,
    Word,
)
from swarm.permissions.shell.words import STEP, WordReader

OPERATOR = re.compile(r"&&|\|\||;;&|;&|;;|\|&|[;&|\n]")
REDIRECTION = re.compile(
    r"(?:[0-9]+|\{[A-Za-z_][A-Za-z0-9_]*\})?(<<<|<<-|<<|<>|<&|>>|>&|>\||<(?!\()|>(?!\())|(&>>|&>)"
)
MOST_WORDS = 1_500
MOST_REDIRECTS = 100
REDIRECTS = frozenset("<>&{0123456789")
ASSIGNED = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(\[[^\]\n'\"$`]*\])?\+?=")
RESERVED_ENDS = frozenset({"then", "do", "done", "fi", "elif", "else", "esac", "}"})
DECLARING = frozenset({"declare", "typeset", "export", "readonly", "local"})


class ShellReader(WordReader):
    """Reads commands. `first` is the outermost list as far as it was read, also when reading broke off."""

    first: Script | None = None

    def read_script(self, closing: str) -> Script:
        """Read commands up to a closing parenthesis, or to the end where `closing` is empty."""
        script = self.read_list(frozenset())
        if closing:
            if self.peek() != closing:
                raise BrokenShell(self.at, "a parenthesis is not closed")
            self.at += 1
        elif self.at < len(self.text):
            raise BrokenShell(self.at, f"{self.peek()!r} cannot stand here")
        return script

    def skip_lines(self) -> None:
        """Pass blanks, comments and new lines; the bodies of here-documents lie behind a new line."""
        while True:
            self.skip_blanks()
            if self.peek() != "\n":
                return
            self.at += 1
            if self.pending:
                read_bodies(self)

    def read_list(self, ends: frozenset[str]) -> Script:
        """Read commands until one of the reserved words, a closing sign or the end."""
        script = Script([])
        self.first = self.first or script
        while True:
            self.skip_lines()
            if self.at >= len(self.text) or self.peek() == ")" or self._at_end_word(ends):
                return script
            if self.peek(2) in (";;", ";&"):
                return script
            command = self.read_pipeline()
            self.skip_blanks()
            operator = OPERATOR.match(self.text, self.at)
            if operator is None:
                script.items.append((command, ""))
                if self.at < len(self.text) and self.peek() != ")":
                    raise BrokenShell(self.at, f"{self.peek()!r} cannot stand here")
                return script
            sign = operator.group()
            script.items.append((command, sign))
            if sign in (";;", ";&", ";;&"):
                return script
            if sign != "\n":
                self.at = operator.end()
            if sign in ("&&", "||"):
                self.skip_lines()
                if self.at >= len(self.text) or self.peek() in ");&|":
                    raise BrokenShell(self.at, f"nothing follows {sign}")

    def _at_end_word(self, ends: frozenset[str]) -> bool:
        word = self.reserved()
        if word in ends:
            return True
        if word in RESERVED_ENDS:
            raise BrokenShell(self.at, f"{word!r} cannot stand here")
        return False

    def reserved(self) -> str:
        """The unquoted word that begins here, if it could be a reserved one."""
        found = WORD_HERE.match(self.text, self.at)
        return found.group() if found else ""

    def read_pipeline(self) -> Command:
        """Read commands joined by pipes, with `!` and `time` before them."""
        while self.reserved() == "!" or (self.reserved() == "time" and self._times_a_compound()):
            self._take_word()
            self.skip_blanks()
        commands = [self.read_command()]
        while True:
            self.skip_blanks()
            if self.peek() != "|" or self.peek(2) == "||":
                break
            self.at += 2 if self.peek(2) == "|&" else 1
            self.skip_lines()
            while self.reserved() == "!":
                self._take_word()
                self.skip_blanks()
            commands.append(self.read_command())
        return commands[0] if len(commands) == 1 else Pipeline(commands)

    def _times_a_compound(self) -> bool:
        found = TIMED.match(self.text, self.at)
        return found is not None and (found.group(1) in COMPOUND or found.group(1) in ("(", "!"))

    def _take_word(self) -> None:
        self.at += len(self.reserved())
        while True:
            self.skip_blanks()
            if self.reserved() not in ("-p", "--"):
                return
            self.at += len(self.reserved())

    def read_command(self) -> Command:
        """Read one command of any kind."""
        self.deeper()
        reader = COMPOUND.get(self.reserved())
        if self.peek() == "(":
            command = self._parenthesis()
        elif reader is not None:
            command = reader(self)
        else:
            command = self.read_simple()
        self.depth -= 1
        return command

    def with_redirects(self, command: "Group | Branches | Loop | Expression") -> Command:
        """The compound command with the redirections behind it."""
        while True:
            self.skip_blanks()
            redirect = self.read_redirect()
            if redirect is None:
                return command
            command.redirects.append(redirect)

    def _parenthesis(self) -> Command:
        if self.peek(2) == "((":
            end = self.matching(self.at + 2, "(", ")")
            if end >= 0 and self.text[end : end + 2] == "))":
                return self.with_redirects(Expression([self.arithmetic_word(end)], arithmetic=True))
        self.at += 1
        return self.with_redirects(Group(self.read_script(")"), subshell=True))

    def arithmetic_word(self, end: int) -> Word:
        """What stands between `((` here and `))` at `end`."""
        start = self.at
        part = self.arithmetic(start + 2, end, 2, False)
        return Word(self.base + start, self.base + self.at, [part], self.text[start : self.at])

    def read_simple(self) -> Command:
        """Read a simple command, or the definition of a function."""
        command = Simple(self.base + self.at, self.base + self.at)
        self.spend(STEP)
        while True:
            self.skip_blanks()
            redirect = self.read_redirect()
            if redirect is not None:
                command.redirects.append(redirect)
                if len(command.redirects) > MOST_REDIRECTS:
                    raise TooMuchShell(self.at, "a command has too many redirections")
            elif self._reads_assignment(command):
                if len(command.assignments) > MOST_WORDS // 2:
                    raise TooMuchShell(self.at, "a command has too many assignments")
            else:
                word = self.read_word()
                if word is None:
                    break
                command.words.append(word)
                if len(command.words) > MOST_WORDS:
                    raise TooMuchShell(self.at, "a command has too many words")
                if len(command.words) == 1 and self._defines():
                    return self.read_definition(word.raw, command.start)
            command.end = self.base + self.at
        if not (command.words or command.assignments or command.redirects):
            sign = self.peek()
            raise BrokenShell(self.at, f"{sign!r} cannot stand here" if sign else "a command is missing")
        return command

    def _defines(self) -> bool:
        return DEFINITION.match(self.text, self.at) is not None

    def read_definition(self, name: str, start: int) -> Function:
        found = DEFINITION.match(self.text, self.at)
        if found:
            self.at = found.end()
        self.skip_lines()
        body = self.read_command()
        return Function(start, self.base + self.at, name, body)

    def _reads_assignment(self, command: Simple) -> bool:
        declares = bool(command.words) and command.words[0].raw in DECLARING
        if command.words and not declares:
            return False
        found = ASSIGNED.match(self.text, self.at)
        if found is None:
            return False
        start = self.at
        self.at = found.end()
        items = None
        value = None
        if self.peek() == "(":
            self.at += 1
            items = self._items()
        else:
            value = self.read_word()
        plain = not found.group(2) and not found.group().endswith("+=") and items is None
        assignment = Assignment(self.base + start, self.base + self.at, found.group(1), value, items, plain)
        command.assignments.append(assignment)
        if declares:
            command.words.append(self._declared(assignment, start))
        return True

    def _declared(self, assignment: Assignment, start: int) -> Word:
        """An assignment that is a word of its command too."""
        raw = self.text[start : self.at]
        parts: list[Part] = [Literal(raw.partition("=")[0] + "=", True)]
        for word in assignment.items or ([assignment.value] if assignment.value else []):
            parts.extend(word.parts)
        return Word(assignment.start, assignment.end, parts, raw)

    def _items(self) -> list[Word]:
        items: list[Word] = []
        while True:
            self.skip_lines()
            if self.peek() == ")":
                self.at += 1
                return items
            word = self.read_word()
            if word is None:
                raise BrokenShell(self.at, "an array is not closed")
            items.append(word)

    def read_redirect(self) -> Redirect | None:
        """The redirection that begins here, if one does."""
        found = REDIRECTION.match(self.text, self.at) if self.peek() in REDIRECTS else None
        if found is None:
            return None
        start = self.at
        operator = found.group(1) or found.group(2)
        self.at = found.end()
        if self.text.startswith("\\\n", self.at):
            raise BrokenShell(start, "a line is continued within a redirection")
        self.skip_blanks()
        target = self.read_word()
        if target is None:
            raise BrokenShell(start, f"nothing follows {operator}")
        redirect = Redirect(self.base + start, self.base + self.at, operator, target)
        if operator in ("<<", "<<-"):
            delimiter = "".join(part.text for part in target.parts if isinstance(part, Literal))
            if any(not isinstance(part, Literal) for part in target.parts) or "\n" in delimiter:
                raise BrokenShell(start, "the delimiter of a here-document is no plain word")
            self.pending.append(redirect)
            self.delimiters.append((delimiter, target.raw != delimiter))
        return redirect


WORD_HERE = re.compile(r"[^ \t\n'\"\\$`|&;()<>]+(?=[ \t\n|&;()<>]|\\\n|$)")
TIMED = re.compile(r"time(?:[ \t]|\\\n)+(?:(?:-p|--)(?:[ \t]|\\\n)+)*([^ \t\n'\"\\$`|&;()<>]+|\()")
DEFINITION = re.compile(r"(?:[ \t]|\\\n)*\((?:[ \t]|\\\n)*\)")
COMPOUND: dict[str, Callable[[ShellReader], Command]] = {}
