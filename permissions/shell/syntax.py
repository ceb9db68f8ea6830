"""What shell text consists of, as the reader leaves it: words of parts, commands, and what holds commands.

Positions count characters of the text that was read.
"""

from dataclasses import dataclass, field


@dataclass(slots=True)
class Literal:
    """Plain text, quotes taken off. Unquoted text may still hold globs, braces and a tilde."""

    text: str
    quoted: bool


@dataclass(slots=True)
class Variable:
    """An expansion of a variable. `operator` stands after the name, `argument` is the word behind it."""

    name: str
    quoted: bool
    operator: str = ""
    argument: "Word | None" = None


@dataclass(slots=True)
class Substitution:
    """A command or process substitution. `kind` is the sign that opens it."""

    script: "Script"
    kind: str
    quoted: bool
    start: int
    end: int


@dataclass(slots=True)
class Arithmetic:
    """An arithmetic expansion; `parts` are the expansions in it, `text` what is written."""

    text: str
    parts: "list[Part]"
    quoted: bool


Part = Literal | Variable | Substitution | Arithmetic


@dataclass(slots=True)
class Word:
    """One word as written."""

    start: int
    end: int
    parts: list[Part]
    raw: str

    @property
    def plain(self) -> str | None:
        """The text if nothing in it is quoted or expanded; what a reserved word must be."""
        if not self.parts:
            return None
        first = self.parts[0]
        return (
            first.text if len(self.parts) == 1 and isinstance(first, Literal) and not first.quoted else None
        )


@dataclass(slots=True)
class Redirect:
    """A redirection; a here-document has its body, as a word, and says whether its delimiter was quoted."""

    start: int
    end: int
    operator: str
    target: Word | None
    body: Word | None = None
    literal: bool = False


@dataclass(slots=True)
class Assignment:
    """`NAME=value`; `items` are the words of an array."""

    start: int
    end: int
    name: str
    value: Word | None
    items: list[Word] | None = None
    plain: bool = True


@dataclass(slots=True)
class Simple:
    """One simple command."""

    start: int
    end: int
    assignments: list[Assignment] = field(default_factory=list)
    words: list[Word] = field(default_factory=list)
    redirects: list[Redirect] = field(default_factory=list)


@dataclass(slots=True)
class Script:
    """Commands one after the other, each with the operator that follows it."""

    items: "list[tuple[Command, str]]"


@dataclass(slots=True)
class Pipeline:
    """Commands that run beside each other."""

    commands: "list[Command]"


@dataclass(slots=True)
class Group:
    """A list in braces or, as a process of its own, in parentheses."""

    body: Script
    subshell: bool
    redirects: list[Redirect] = field(default_factory=list)


@dataclass(slots=True)
class Branches:
    """What may run: conditions, which always or often run, then bodies, of which some run."""

    words: list[Word]
    conditions: list[Script]
    bodies: list[Script]
    redirects: list[Redirect] = field(default_factory=list)


@dataclass(slots=True)
class Loop:
    """A body that runs for each word; `words` is None where the values are not listed."""

    start: int
    name: str
    words: list[Word] | None
    body: Script
    redirects: list[Redirect] = field(default_factory=list)


@dataclass(slots=True)
class Expression:
    """`[[ ]]` or `(( ))`: only its expansions matter."""

    words: list[Word]
    redirects: list[Redirect] = field(default_factory=list)
    arithmetic: bool = False


@dataclass(slots=True)
class Function:
    """A definition; the body may run at any later call."""

    start: int
    end: int
    name: str
    body: "Command"


@dataclass(slots=True)
class Coprocess:
    """A command that runs beside the shell."""

    start: int
    end: int
    body: "Command"


Command = Simple | Pipeline | Group | Branches | Loop | Expression | Function | Coprocess


class BrokenShell(Exception):
    """Text that cannot be read. `at` is a position in it."""

    def __init__(self, at: int, why: str) -> None:
        super().__init__(why)
        self.at = at
        self.why = why


class TooMuchShell(BrokenShell):
    """Text that may be sound, but is more than is looked through."""
