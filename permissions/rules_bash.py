"""Patterns of Bash rules: `*`, the word boundary at the end, and an index by the first words."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from swarm.permissions.model import Behavior, RuleText
from swarm.permissions.rules import Rule

Key = TypeVar("Key")
QUOTED = re.compile(r"\\.|'[^']*'|\"(?:\\.|[^\"\\])*\"", re.DOTALL)
BLANKS = re.compile(r"(\\.|'[^']*'|\"(?:\\.|[^\"\\])*\")|[ \t\n]+", re.DOTALL)
UNQUOTE = re.compile(r"\\(.)|'([^']*)'|\"((?:\\.|[^\"\\])*)\"", re.DOTALL)
STAR = re.compile(r"(\\.)|\*", re.DOTALL)


def normalised(text: str) -> str:
    """The text with every run of blanks outside quotes made one blank, none at the ends."""
    if "  " not in text and "\t" not in text and "\n" not in text:
        return text.strip(" ")
    return BLANKS.sub(lambda found: found.group(1) or " ", text.strip(" \t\n"))


def unquoted(text: str) -> str:
    """The text without quotes and backslashes, as the command would get it."""
    if not QUOTED.search(text):
        return text

    def bare(found: re.Match[str]) -> str:
        if found.group(1) is not None:
            return "" if found.group(1) == "\n" else found.group(1)
        if found.group(2) is not None:
            return found.group(2)
        return re.sub(r"\\([\\\"$`])", r"\1", found.group(3))

    return UNQUOTE.sub(bare, text)


@dataclass(frozen=True, slots=True)
class Glob:
    """Pieces of text that must follow each other, anything between them."""

    pieces: tuple[str, ...]

    def matches(self, text: str) -> bool:
        """Whether the whole text fits; takes linear time for each piece."""
        pieces = self.pieces
        if len(pieces) == 1:
            return text == pieces[0]
        first, last = pieces[0], pieces[-1]
        if len(text) < len(first) + len(last) or not text.startswith(first) or not text.endswith(last):
            return False
        at, end = len(first), len(text) - len(last)
        for piece in pieces[1:-1]:
            found = text.find(piece, at, end)
            if found < 0:
                return False
            at = found + len(piece)
        return True

    def could_begin(self, known: str) -> bool:
        """Whether some text that begins with the known one fits."""
        first = self.pieces[0]
        if len(known) <= len(first):
            return first.startswith(known)
        return len(self.pieces) > 1 and known.startswith(first)


@dataclass(frozen=True, slots=True)
class CommandPattern:
    """What a Bash rule says: any of its globs must fit. `bare` are the same without quotes."""

    rule: RuleText
    globs: tuple[Glob, ...]
    bare: tuple[Glob, ...]
    words: tuple[str, ...]

    def matches_written(self, text: str) -> bool:
        """Whether a command fits as it is written, blanks made one."""
        return any(glob.matches(text) for glob in self.globs)

    def matches(self, text: str) -> bool:
        """Whether a command fits after quotes were taken off, here and there."""
        return any(glob.matches(text) for glob in self.bare)

    def could_match(self, known: str) -> bool:
        """Whether a command of which only the beginning is known could fit."""
        return any(glob.could_begin(known) for glob in self.bare)


def read_command(rule: Rule) -> CommandPattern:
    """Make the pattern of a Bash rule. The specifier is not empty."""
    text = normalised(rule.specifier)
    bounded = False
    if text.endswith(":*") or (text.endswith(" *") and not text.endswith("\\ *")):
        text, bounded = text[:-2].rstrip(" "), True
    globs = _globs(_pieces(text), bounded)
    bare = _globs(tuple(unquoted(piece) for piece in _pieces(text)), bounded)
    leading = globs[0] if rule.text.behavior is Behavior.ALLOW else bare[0]
    return CommandPattern(rule.text, globs, bare, _first_words(leading))


def _pieces(text: str) -> tuple[str, ...]:
    pieces: list[str] = [""]
    at = 0
    for found in STAR.finditer(text):
        pieces[-1] += text[at : found.start()]
        at = found.end()
        if found.group(1) is None:
            pieces.append("")
        else:
            pieces[-1] += "*" if found.group(1) == "\\*" else found.group(1)
    pieces[-1] += text[at:]
    return tuple(pieces)


def _globs(pieces: tuple[str, ...], bounded: bool) -> tuple[Glob, ...]:
    if not bounded:
        return (Glob(pieces),)
    return (Glob(pieces), Glob((*pieces[:-1], pieces[-1] + " ", "")))


def _first_words(glob: Glob) -> tuple[str, ...]:
    """The leading words that are surely whole: at most two."""
    first = glob.pieces[0]
    words = first.split(" ")
    if len(glob.pieces) > 1:
        words = words[:-1]
    return tuple(word for word in words[:2] if word)


@dataclass(frozen=True, slots=True)
class CommandIndex:
    """Bash patterns by their first words; those that begin with a wildcard stand apart.

    `signs` are the latter, each with a text that whatever fits it must hold.
    """

    pairs: dict[tuple[str, str], tuple[CommandPattern, ...]]
    firsts: dict[str, tuple[CommandPattern, ...]]
    rest: tuple[CommandPattern, ...]
    by_first: dict[str, tuple[CommandPattern, ...]]
    signs: tuple[tuple[str, CommandPattern], ...]

    def __bool__(self) -> bool:
        return bool(self.by_first or self.rest)

    def candidates(self, text: str) -> Iterator[CommandPattern]:
        """The patterns that could fit a command of this text."""
        words = text.split(" ", 2)
        if len(words) > 1:
            yield from self.pairs.get((words[0], words[1]), ())
        yield from self.firsts.get(words[0], ())
        for sign, pattern in self.signs:
            if sign in text:
                yield pattern

    def match(self, text: str) -> RuleText | None:
        """The first rule that fits the text, quotes taken off."""
        for pattern in self.candidates(text):
            if pattern.matches(text):
                return pattern.rule
        return None

    def match_written(self, text: str) -> RuleText | None:
        """The first rule that fits the text as written."""
        for pattern in self.candidates(text):
            if pattern.matches_written(text):
                return pattern.rule
        return None

    def could_match(self, known: str) -> RuleText | None:
        """The first rule that could fit a command of which only the beginning is known."""
        for pattern in (*self.by_first.get(known.split(" ", 1)[0], ()), *self.rest):
            if pattern.could_match(known):
                return pattern.rule
        return None


def index_commands(patterns: Iterable[CommandPattern]) -> CommandIndex:
    """Sort patterns for finding."""
    pairs: dict[tuple[str, str], list[CommandPattern]] = {}
    firsts: dict[str, list[CommandPattern]] = {}
    by_first: dict[str, list[CommandPattern]] = {}
    rest: list[CommandPattern] = []
    for pattern in patterns:
        words = pattern.words
        if not words:
            rest.append(pattern)
            continue
        by_first.setdefault(words[0], []).append(pattern)
        if len(words) > 1:
            pairs.setdefault((words[0], words[1]), []).append(pattern)
        else:
            firsts.setdefault(words[0], []).append(pattern)
    signs = tuple((_sign(pattern), pattern) for pattern in rest)
    return CommandIndex(_fixed(pairs), _fixed(firsts), tuple(rest), _fixed(by_first), signs)


def _sign(pattern: CommandPattern) -> str:
    """The longest text that is in everything that the pattern fits, as written and without quotes."""
    first = pattern.globs[0].pieces
    shared = [piece for piece, bare in zip(first, pattern.bare[0].pieces, strict=True) if piece == bare]
    return max(shared, key=len, default="").strip(" ")


def _fixed(lists: dict[Key, list[CommandPattern]]) -> dict[Key, tuple[CommandPattern, ...]]:
    return {key: tuple(found) for key, found in lists.items()}
