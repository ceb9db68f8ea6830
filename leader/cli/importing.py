"""What `swarm rules import` says of each entry, and the writing of its rules. Prints nothing."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from swarm.leader.headless.lines import one_line
from swarm.leader.rules.imported import Entry, Imported
from swarm.leader.rules.in_force import own_settings
from swarm.permissions.model import Layer
from swarm.permissions.settings.writing import add_rule

LAYERS = {"local": Layer.LOCAL, "project": Layer.PROJECT, "user": Layer.USER}


def entry_lines(files: Sequence[Imported]) -> Iterator[str]:
    """Give a line for each entry that became different or was left behind, then the counts."""
    carried = left = 0
    for file in files:
        for entry in file.entries:
            carried += entry.carried
            left += not entry.carried
            if entry.note or not entry.carried:
                yield _line(file.file, entry)
    yield f"{carried} carried over, {left} not."


DRY = "Nothing was written: put this into a settings file, or add it with --write local, project or user."


def _line(file: str, entry: Entry) -> str:
    place = f"{file}:{entry.line}" if entry.line else file
    if not entry.carried:
        return (
            f"{one_line(place)}: not carried over: {one_line(entry.said, 200)}. {one_line(entry.note, 600)}"
        )
    new = ", ".join(f"{behavior} {text}" for behavior, text in entry.rules) or f"mode {entry.mode}"
    note = one_line(entry.note, 600)
    return f"{one_line(place)}: {one_line(entry.said, 200)} → {one_line(new, 600)}. {note}"


def entry_objects(files: Sequence[Imported]) -> Iterator[dict[str, Any]]:
    """Give an object for each entry."""
    for file in files:
        for entry in file.entries:
            yield {
                "file": file.file,
                "line": entry.line,
                "said": entry.said,
                "carried": entry.carried,
                "rules": [{"list": str(behavior), "rule": text} for behavior, text in entry.rules],
                "mode": str(entry.mode) if entry.mode else None,
                "note": entry.note,
            }


def write_rules(files: Sequence[Imported], word: str, project: Path) -> Iterator[str]:
    """Add every rule to the file of a layer, and say where each stands. Raises SettingsError."""
    file = next(one for one in own_settings(project) if one.layer is LAYERS[word])
    rules = dict.fromkeys(rule for one in files for entry in one.entries for rule in entry.rules)
    for behavior, text in rules:
        written = add_rule(file, behavior, text)
        yield f"{one_line(str(written.source))}: {behavior} {one_line(text, 600)}"
    modes = [entry.mode for one in files for entry in one.entries if entry.mode]
    if modes:
        target = one_line(str(file.path))
        yield f'The mode is not written. To have it, add "mode": "{modes[-1]}" to {target}.'
