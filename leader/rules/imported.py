"""What the settings of another program come to: rules of ours, and what could not be carried over."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from swarm.permissions.errors import RuleError
from swarm.permissions.model import Behavior, Layer, Mode, RuleText, Source
from swarm.permissions.rules import read_rule
from swarm.permissions.rules_lint import lint
from swarm.permissions.tools import Effect, kind_of

RuleOut = tuple[Behavior, str]


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that another program's settings say. Without rules and mode it was not carried over.

    `line` counts from 1, 0 where it is not known. `note` says what became different, or why nothing
    could be carried over.
    """

    line: int
    said: str
    rules: tuple[RuleOut, ...] = ()
    mode: Mode | None = None
    note: str = ""

    @property
    def carried(self) -> bool:
        """Whether anything of it is in the result."""
        return bool(self.rules) or self.mode is not None


@dataclass(frozen=True, slots=True)
class Imported:
    """One file of another program, entry by entry."""

    file: str
    entries: tuple[Entry, ...]


def sound(entries: Iterable[Entry]) -> Iterator[Entry]:
    """Give the entries with only such rules as can be read, and with what is doubtful about them."""
    for entry in entries:
        kept: list[RuleOut] = []
        notes = [entry.note] if entry.note else []
        for behavior, text in entry.rules:
            try:
                reading = read_rule(RuleText(behavior, text, Source(Layer.PROJECT)))
            except RuleError as error:
                notes.append(f"{text} is no rule here: {error.problem}. {error.advice}")
                continue
            kept.append((behavior, text))
            doubts = (*reading.problems, *lint(reading.rule))
            notes += [f"{doubt.problem}. {doubt.advice}" for doubt in doubts]
        yield replace(entry, rules=tuple(kept), note=" ".join(notes))


def anywhere(pattern: str) -> str:
    """Widen a path pattern that starts at the working directory to any depth."""
    return pattern[2:] if pattern.startswith("./") and len(pattern) > 2 else pattern


def path_word(tool: str) -> str:
    """Give the word for rules about paths that covers a tool; empty if the tool takes no path."""
    effect = kind_of(tool).effect
    return {Effect.READ: "Read", Effect.EDIT: "Edit"}.get(effect, "")


def settings_object(files: Iterable[Imported]) -> dict[str, object]:
    """Give the settings file that holds everything that was carried over, each rule once."""
    lists: dict[str, list[str]] = {str(behavior): [] for behavior in Behavior}
    mode: Mode | None = None
    for file in files:
        for entry in file.entries:
            mode = entry.mode or mode
            for behavior, text in entry.rules:
                if text not in lists[behavior]:
                    lists[behavior].append(text)
    return {"permissions": {**({"mode": str(mode)} if mode else {}), **lists}}
