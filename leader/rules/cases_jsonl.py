"""Reads cases from JSON lines, one case a line. Runs none."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from swarm.leader.plan.errors import Problem
from swarm.leader.rules.cases import Case, folders_of, read_fields, request_of
from swarm.leader.rules.errors import CasesInvalid
from swarm.permissions.files import MemoryFiles
from swarm.permissions.model import Behavior, Layer, Mode, RuleText, Source

HOME = "/home/dev"
"""The home folder of every case, so that cases mean the same on each machine."""


def read_lines(file: Path, text: str) -> list[Case]:
    """Give the cases of a text. Raises CasesInvalid with all that is wrong."""
    problems: list[Problem] = []
    cases: list[Case] = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            case = _case(str(file), number, line, problems)
            cases += [case] if case is not None else []
    if not cases and not problems:
        problems.append(Problem(str(file), 0, 0, "There is no case in it.", "Write one case a line."))
    if problems:
        raise CasesInvalid(problems)
    return cases


def _case(file: str, number: int, line: str, problems: list[Problem]) -> Case | None:
    before = len(problems)

    def complain(text: str, advice: str = "", column: int = 1) -> None:
        problems.append(Problem(file, number, column, text, advice))

    try:
        value = json.loads(line)
    except json.JSONDecodeError as error:
        complain(f"This is not JSON: {error.msg}.", "A case is one object on one line.", error.colno)
        return None
    except (ValueError, RecursionError):
        complain("This cannot be read: it is nested too deeply or holds too long a number.")
        return None
    if not isinstance(value, dict):
        complain("A case is an object.", 'Begin with {"settings": …, "call": …, "expect": …}.')
        return None
    fields = read_fields(value, lambda found: complain(found[1], found[2], _column(line, found[0])))
    if "expect" not in value:
        complain("expect is missing.", f"Write one of {', '.join(Behavior)}.")
    cwd = fields.get("cwd", "/w/proj")
    request = request_of(fields, cwd)
    if request is None and not {"call", "command", "tool"} & value.keys():
        complain("The case names no call.", 'Write "call": {"tool": …, "input": …}, or "command".')
    elif request is None and len(problems) == before:
        complain("The case names more than one call.", "Keep one of call, command and tool.")
    if request is None or len(problems) > before:
        return None
    rules = tuple(_rules(fields, Source(Layer.PROJECT, file, number, 0, cwd), line))
    return Case(
        name=fields.get("id") or f"line {number}",
        file=file,
        line=number,
        rules=rules,
        mode=fields.get("mode", Mode.DEFAULT),
        folders=folders_of(HOME, cwd),
        request=request,
        files=MemoryFiles(fields.get("files", {})),
        **expectations(fields),
    )


def expectations(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Give what a case expects, as the arguments of Case."""
    offers = fields.get("offers")
    return {
        "expect": fields["expect"],
        "classifier": fields.get("classifier", ""),
        "offers": None if offers is None else tuple(offers),
        "warn": fields.get("warn", False),
        "error": fields.get("error", False),
        "why": fields.get("why", ""),
    }


def _rules(fields: Mapping[str, Any], place: Source, line: str) -> Iterator[RuleText]:
    lists = fields.get("settings")
    for behavior in Behavior:
        for text in getattr(lists, str(behavior), ()):
            column = max(line.find(json.dumps(text, ensure_ascii=False)) + 2, 1)
            yield RuleText(behavior, text, Source(place.layer, place.file, place.line, column, place.base))


def _column(line: str, key: str) -> int:
    return max(line.find(json.dumps(key)) + 1, 1)
