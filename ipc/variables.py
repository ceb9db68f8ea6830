"""References in plans, as both ends read them: `${tasks.NAME.result}` and its kin. Runs no code.

`$${` stands for a literal `${`. What a reference stands for is put in as it is and never read again.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from swarm.ipc.errors import BadReference

FIELDS: dict[str, tuple[str, ...]] = {"tasks": ("result", "status"), "steps": ("output", "outcome")}
"""What can be asked of what: scope to fields."""

_OPENING = re.compile(r"\$\$\{|\$\{")
_NAME = re.compile(r"[A-Za-z0-9_-]+")
_LONGEST = 256
"""How many characters an unclosed reference is shown with at most."""


@dataclass(frozen=True, slots=True)
class Reference:
    """One well-formed reference. `span` is its start and end in characters of the text it stands in."""

    span: tuple[int, int]
    scope: str
    name: str
    field: str

    def __str__(self) -> str:
        return f"${{{self.scope}.{self.name}.{self.field}}}"


@dataclass(frozen=True, slots=True)
class Problem:
    """A reference that cannot be used. `span` counts characters; `text` is a sentence with advice."""

    span: tuple[int, int]
    text: str


@dataclass(frozen=True, slots=True)
class Parsed:
    """A text taken apart: literal text (with `$${` already resolved), references and problems in order."""

    pieces: tuple[str | Reference | Problem, ...]

    @property
    def references(self) -> tuple[Reference, ...]:
        """The well-formed references."""
        return tuple(piece for piece in self.pieces if isinstance(piece, Reference))

    @property
    def problems(self) -> tuple[Problem, ...]:
        """The malformed ones."""
        return tuple(piece for piece in self.pieces if isinstance(piece, Problem))


def parse(text: str) -> Parsed:
    """Take `text` apart. Raises nothing: what is malformed becomes a problem."""
    pieces: list[str | Reference | Problem] = []
    place = 0
    while opening := _OPENING.search(text, place):
        if opening.start() > place:
            pieces.append(text[place : opening.start()])
        if opening.group() == "$${":
            pieces.append("${")
            place = opening.end()
            continue
        piece = _reference(text, opening.start())
        pieces.append(piece)
        place = piece.span[1]
    if place < len(text):
        pieces.append(text[place:])
    return Parsed(tuple(pieces))


def references(text: str) -> list[Reference]:
    """Give the references in `text`. Raises BadReference for the first malformed one."""
    return list(_sound(text).references)


def problems(text: str) -> list[Problem]:
    """Give everything that is wrong with the references in `text`."""
    return list(parse(text).problems)


def expand(text: str, lookup: Callable[[Reference], str], quote: Callable[[str], str] | None = None) -> str:
    """Put in what `lookup` gives for each reference, through `quote` if given. Raises BadReference."""
    quoted = quote or str
    return "".join(
        quoted(lookup(piece)) if isinstance(piece, Reference) else str(piece)
        for piece in _sound(text).pieces
    )


def _sound(text: str) -> Parsed:
    parsed = parse(text)
    for problem in parsed.problems:
        raise BadReference(problem.text, problem.span)
    return parsed


def _reference(text: str, start: int) -> Reference | Problem:
    end = text.find("}", start)
    line_end = text.find("\n", start)
    if end < 0 or 0 <= line_end < end:
        shown = text[start : min(len(text), start + _LONGEST, line_end if line_end >= 0 else len(text))]
        return Problem(
            (start, start + len(shown)),
            f"The reference {shown!r} is not closed: it lacks a `}}`. {_LITERAL}",
        )
    span = (start, end + 1)
    return _checked(text[start + 2 : end], span)


def _checked(body: str, span: tuple[int, int]) -> Reference | Problem:
    scope, *rest = body.split(".")
    if scope not in FIELDS:
        return Problem(
            span, f"${{{body}}} refers to nothing known: write ${{tasks.…}} or ${{steps.…}}. {_LITERAL}"
        )
    fields = FIELDS[scope]
    if len(rest) != 2 or not _NAME.fullmatch(rest[0]):
        return Problem(
            span,
            f"${{{body}}} has the wrong form: write ${{{scope}.NAME.{fields[0]}}}, "
            "NAME being of letters, digits, - and _.",
        )
    if rest[1] not in fields:
        known = " or ".join(fields)
        return Problem(span, f"${{{body}}} asks for {rest[1]!r}, but {scope} have only {known}.")
    return Reference(span, scope, rest[0], rest[1])


_LITERAL = "Write $${ where a literal ${ is meant."
