"""A case: a call under rules, with the answer that is expected. Reads its fields; decides nothing."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal

import msgspec

from swarm.permissions.files import FileView
from swarm.permissions.model import Behavior, Folders, Mode, Request, RuleText


class Lists(msgspec.Struct, forbid_unknown_fields=True):
    """The rules of a case as written; what is no text is for the engine to refuse."""

    allow: list[Any] = []
    ask: list[Any] = []
    deny: list[Any] = []


class Call(msgspec.Struct, forbid_unknown_fields=True):
    """The call of a tool."""

    tool: str
    input: dict[str, Any]


FIELDS: Mapping[str, Any] = {
    "id": str,
    "settings": Lists,
    "mode": Mode,
    "cwd": str,
    "files": dict[str, str],
    "call": Call,
    "command": str,
    "tool": str,
    "input": dict[str, Any],
    "expect": Behavior,
    "classifier": Literal["safe", "unsure"],
    "warn": bool,
    "error": bool,
    "offers": list[str],
    "why": str,
    "category": str,
    "source": str,
}
"""What a case may say, with the type of each. Other keys are left alone unless they look misspelled."""

Complaint = tuple[str, str, str]
"""The field at fault, what is wrong with it and what to write instead."""


@dataclass(frozen=True, slots=True)
class Case:
    """One call and what is expected of it. `offers` is None where nothing is expected of offers."""

    name: str
    file: str
    line: int
    rules: tuple[RuleText, ...]
    mode: Mode
    folders: Folders
    request: Request
    files: FileView
    expect: Behavior
    classifier: str = ""
    offers: tuple[str, ...] | None = None
    warn: bool = False
    error: bool = False
    why: str = ""


def read_fields(value: Mapping[str, Any], complain: Callable[[Complaint], None]) -> dict[str, Any]:
    """Convert every field that is there; whatever does not fit is complained of and left out."""
    found: dict[str, Any] = {}
    for key, item in value.items():
        if key not in FIELDS:
            near = get_close_matches(str(key), FIELDS, n=1, cutoff=0.75)
            if near:
                complain((str(key), f"{str(key)!r} is not known.", f"Did you mean {near[0]}?"))
            continue
        try:
            found[key] = msgspec.convert(item, FIELDS[key])
        except msgspec.ValidationError as error:
            complain((key, f"{key}: {error}.", _expected(key)))
    for complaint in misfits(found):
        complain(complaint)
    return found


def _expected(key: str) -> str:
    if FIELDS[key] in (Mode, Behavior):
        return f"Write one of {', '.join(FIELDS[key])}."
    return {"classifier": "Write safe or unsure.", "files": 'Write "file", "dir" or "->TARGET".'}.get(
        key, ""
    )


def misfits(found: Mapping[str, Any]) -> Iterator[Complaint]:
    """What a field holds that its type does not rule out."""
    cwd = found.get("cwd")
    if cwd is not None and not cwd.startswith("/"):
        yield "cwd", f"cwd {cwd!r} is not absolute.", "Begin it with /."
    for path, what in found.get("files", {}).items():
        if not path.startswith("/"):
            yield "files", f"The file {path!r} is not absolute.", "Begin it with /."
        if what not in ("file", "dir") and not what.startswith("->"):
            yield "files", f"{path!r} is {what!r}.", 'Write "file", "dir" or "->TARGET".'


def request_of(fields: Mapping[str, Any], cwd: str) -> Request | None:
    """Give the call that a case is about, or None if it names none or more than one."""
    call, command = fields.get("call"), fields.get("command")
    named = [name for name in ("call", "command", "tool") if name in fields]
    if len(named) != 1 or ("input" in fields and "tool" not in fields):
        return None
    if call is not None:
        return Request(call.tool, call.input, cwd)
    if command is not None:
        return Request("Bash", {"command": command}, cwd)
    return Request(fields["tool"], fields.get("input", {}), cwd)


def folders_of(home: str, cwd: str) -> Folders:
    """Give the folders of a case: the project is the folder that it runs in."""
    return Folders(Path(home), Path(cwd))
