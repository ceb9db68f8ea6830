"""Reads JSON that may hold comments and trailing commas into a tree with positions. Touches no file."""

import re
from collections.abc import Iterator
from json import JSONDecodeError, JSONDecoder
from typing import Final

from swarm.permissions.settings.tree import Array, Member, Node, Object, Scalar

DEEPEST: Final = 64
"""How many levels may lie within each other."""

_BLANK: Final = re.compile(r"(?:[ \t\r\n]+|//[^\n]*|/\*(?s:.*?)\*/)*")
_WORD: Final = re.compile(r"[A-Za-z_$][\w$]*|[-+.\d][\w.+-]*")
_NUMBER: Final = re.compile(r"-?(?:0|[1-9]\d{0,300})(\.\d+)?([eE][-+]?\d{1,5})?")
_STRINGS: Final = JSONDecoder()
_WORDS: Final = {"true": True, "false": False, "null": None}


class JsonProblem(Exception):
    """The text is no JSON. `offset` is where, in characters."""

    def __init__(self, offset: int, problem: str, advice: str) -> None:
        super().__init__(offset, problem)
        self.offset = offset
        self.problem = problem
        self.advice = advice


def parse(text: str) -> Node | None:
    """Give the tree of a text; None if it holds nothing but blanks and comments. Raises JsonProblem."""
    reader = _Reader(text)
    reader.skip(1 if text.startswith("\ufeff") else 0)
    if reader.at == len(text):
        return None
    node = reader.value(0)
    reader.skip(reader.at)
    if reader.at != len(text):
        raise reader.problem("something stands after the end of the settings", "Remove it.")
    return node


class _Reader:
    """Goes through a text once; `at` is the next character that is no blank."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def problem(self, problem: str, advice: str) -> JsonProblem:
        return JsonProblem(self.at, problem, advice)

    def skip(self, start: int) -> None:
        blank = _BLANK.match(self.text, start)
        self.at = blank.end() if blank else start
        if self.text.startswith("/*", self.at):
            raise self.problem("a comment is never closed", "End it with */.")

    def value(self, depth: int) -> Node:
        """Read one value and stop right behind it."""
        if depth > DEEPEST:
            raise self.problem(f"more than {DEEPEST} levels lie within each other", "Make it flatter.")
        match self.text[self.at : self.at + 1]:
            case "{":
                return self._object(depth)
            case "[":
                return self._array(depth)
            case '"':
                start = self.at
                return Scalar(self._string(), start, self.at)
            case _:
                return self._word()

    def _array(self, depth: int) -> Array:
        start, commas = self.at, list[int]()
        items = tuple(self.value(depth + 1) for _ in self._places("]", commas))
        return Array(items, tuple(commas), start, self.at)

    def _object(self, depth: int) -> Object:
        start, commas = self.at, list[int]()
        members = tuple(self._member(depth + 1) for _ in self._places("}", commas))
        return Object(members, tuple(commas), start, self.at)

    def _places(self, close: str, commas: list[int]) -> Iterator[None]:
        """Stop at each place where an item is to be read, and go through commas to the end."""
        opened = self.at
        self.skip(opened + 1)
        while not self.text.startswith(close, self.at):
            if self.at == len(self.text):
                self.at = opened
                raise self.problem("this is never closed", f"Write the {close} that ends it.")
            yield
            self.skip(self.at)
            if self.text.startswith(",", self.at):
                commas.append(self.at)
                self.skip(self.at + 1)
            elif self.at < len(self.text) and self.text[self.at] != close:
                raise self.problem("a comma is missing", f"Write a comma before this, or the {close}.")
        self.at += 1

    def _member(self, depth: int) -> Member:
        start = self.at
        if not self.text.startswith('"', start):
            raise self.problem("a key was expected", "Write keys in double quotes.")
        key = self._string()
        self.skip(self.at)
        if not self.text.startswith(":", self.at):
            raise self.problem(f"the key {key[:40]!a} has no value", "Write a colon and its value.")
        self.skip(self.at + 1)
        return Member(key, self.value(depth), start)

    def _string(self) -> str:
        try:
            value, self.at = _STRINGS.raw_decode(self.text, self.at)
        except JSONDecodeError as error:
            self.at = min(error.pos, len(self.text))
            what = error.msg[:1].lower() + error.msg[1:].removesuffix(" at").removesuffix(" starting")
            raise self.problem(f"{what}", "Texts stand in double quotes on one line.") from None
        assert isinstance(value, str)  # it began with a double quote
        return value

    def _word(self) -> Scalar:
        found = _WORD.match(self.text, self.at)
        word = found.group() if found else self.text[self.at : self.at + 1]
        start, end = self.at, self.at + len(word)
        if word in _WORDS:
            self.at = end
            return Scalar(_WORDS[word], start, end)
        if number := _NUMBER.fullmatch(word):
            self.at = end
            return Scalar(float(word) if number.group(1) or number.group(2) else int(word), start, end)
        what = f"{word[:40]!a} is no value" if word else "the text ends where a value was expected"
        raise self.problem(what, "Write a text in double quotes, a number, true, false, null, [ or {.")
