"""A YAML file as plain values, with the place of each. Knows nothing of plans."""

import warnings
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from swarm.leader.plan.errors import PlanInvalid, Problem
from swarm.leader.plan.nodes import Converter, Marks, Node, NodeProblem

Location = tuple[str | int, ...]
"""The keys and indexes that lead from the top to a value."""


class Place(NamedTuple):
    """Line and column, counted from 1."""

    line: int
    column: int


@dataclass(frozen=True)
class Document:
    """The values of a file. `marks` says where each key and value stands; all is plain data."""

    file: Path
    text: str
    value: Any
    marks: Marks
    problems: list[Problem] = field(default_factory=list)

    def place(self, location: Location, *, key: bool = False) -> Place:
        """Give where the value (or its key) stands, or the nearest thing around it that is known."""
        for end in range(len(location), 0, -1):
            mark = self.marks.get(location[:end])
            if mark:
                wanted = mark.key if key and end == len(location) and mark.key is not None else mark.start
                return self._at(wanted)
        return Place(1, 1)

    def place_within(self, location: Location, part: str, count: int = 0) -> Place:
        """Give where `part` stands in the value's own text, at its `count`-th occurrence, from 0."""
        mark = self.marks.get(location)
        if mark is None:
            return self.place(location)
        found = mark.start - 1
        for _ in range(count + 1):
            found = self.text.find(part, found + 1, mark.end)
            if found < 0:
                return self.place(location)
        return self._at(found)

    def problem(self, place: Place, text: str, expected: str = "") -> Problem:
        """Make a problem of this file, with the source line in it."""
        return Problem(str(self.file), *place, text, expected, self.line(place.line))

    def line(self, number: int) -> str:
        """Give a line by its number, counted from 1."""
        lines = self._lines
        return lines[number - 1] if 0 < number <= len(lines) else ""

    @property
    def _lines(self) -> list[str]:
        cached: list[str] | None = self.__dict__.get("_split")
        if cached is None:
            cached = self.__dict__["_split"] = self.text.split("\n")
        return cached

    def _at(self, index: int) -> Place:
        line = self.text.count("\n", 0, index) + 1
        return Place(line, index - (self.text.rfind("\n", 0, index) + 1) + 1)


def read_document(file: Path, text: str) -> Document:
    """Parse the text. Raises PlanInvalid where it is no YAML; lesser problems are in the document."""
    document = Document(file, text, None, {})
    node = _compose(document)
    if node is None:
        raise PlanInvalid(
            [Problem(str(file), 0, 0, "The file is empty.", "Begin with `version: 1` and `workers:`.")]
        )
    converter = Converter()
    try:
        value = converter.convert(node, ())
    except NodeProblem as error:
        raise PlanInvalid([_located(document, error)]) from error
    problems = [_located(document, error) for error in converter.problems]
    return Document(file, text, value, converter.marks, problems)


def _located(document: Document, error: NodeProblem) -> Problem:
    return document.problem(document._at(error.index), error.text, error.expected)


def _compose(document: Document) -> Node:
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError
    from ruamel.yaml.reader import ReaderError

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return YAML(typ="safe", pure=True).compose(document.text)
    except MarkedYAMLError as error:
        raise PlanInvalid([_syntax_problem(document, error)]) from error
    except ReaderError as error:
        place = document._at(error.position)
        text = f"The character U+{ord(document.text[error.position]):04X} may not stand in YAML."
        raise PlanInvalid([document.problem(place, text, "Remove it.")]) from error
    except RecursionError as error:
        raise PlanInvalid([Problem(str(document.file), 0, 0, "It is nested too deeply.")]) from error


SYNTAX = {
    r"'\t'": ("A tab stands where YAML takes only blanks.", "Indent with blanks."),
    "another document": ("A second document begins here.", "A plan is one document: remove the ---."),
    "undefined alias": ("This alias was never defined.", "Define it before with &, or quote the text."),
    "mapping values are not allowed": (
        "A `: ` stands where no key can be.",
        "Quote a text that holds `: `, or mend the indentation.",
    ),
    "unexpected end of stream": ("A quote is opened here and never closed.", "Close it."),
}
"""What YAML's reader says, and what it most often means."""


def _syntax_problem(document: Document, error: Any) -> Problem:
    found = str(error.problem or error.context or "This is not YAML")
    known = next((advice for sign, advice in SYNTAX.items() if sign in found), None)
    mark = error.problem_mark or error.context_mark
    if "unexpected end of stream" in found and error.context_mark:
        mark = error.context_mark
    place = Place(mark.line + 1, mark.column + 1) if mark else Place(1, 1)
    if known:
        return document.problem(place, *known)
    context = f", {error.context}" if error.context else ""
    return document.problem(place, f"This is not YAML: {found}{context}.")
