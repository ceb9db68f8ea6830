"""Reads cases from YAML, whose rules stand once at the top or are those of a plan. Runs none."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from swarm.leader.plan.document import Document, Location, read_document
from swarm.leader.plan.errors import PlanInvalid, Problem
from swarm.leader.rules.cases import FIELDS, Case, folders_of, read_fields, request_of
from swarm.leader.rules.cases_jsonl import expectations
from swarm.leader.rules.errors import CasesInvalid
from swarm.leader.rules.in_force import home_folder, plan_rules
from swarm.permissions.files import MemoryFiles
from swarm.permissions.model import Behavior, Layer, Mode, RuleText, Source

TOP = ("plan", "worker", "settings", "mode", "cwd", "home", "files", "cases")
OWN = tuple(name for name in FIELDS if name != "settings")
SHAPE = "Write cases: with a list of {command: …, expect: …}."


@dataclass(frozen=True, slots=True)
class Common:
    """What holds for all cases of a file."""

    rules: tuple[RuleText, ...]
    mode: Mode
    cwd: str
    home: str
    files: Mapping[str, str]


def read_yaml(file: Path, text: str) -> list[Case]:
    """Give the cases of a text. Raises CasesInvalid with all that is wrong, PlanInvalid for its plan."""
    if not text.strip():
        raise CasesInvalid([Problem(str(file), 0, 0, "The file is empty.", SHAPE)])
    try:
        document = read_document(file, text)
    except PlanInvalid as error:
        raise CasesInvalid(error.problems) from None
    return _Reading(document).cases()


class _Reading:
    """One file that is being read."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._problems: list[Problem] = list(document.problems)

    def cases(self) -> list[Case]:
        value = self._document.value
        if not isinstance(value, dict):
            self._complain((), "The file is no mapping.", SHAPE)
            raise CasesInvalid(self._problems)
        for key in value:
            if key not in TOP:
                self._complain(
                    (key,), f"{key!r} is not known here.", f"Known are {', '.join(TOP)}.", key=True
                )
        common = self._common(value)
        listed = value.get("cases")
        if not isinstance(listed, list) or not listed:
            self._complain(("cases",), "There are no cases.", SHAPE)
            listed = []
        cases = [self._case(common, at, item) for at, item in enumerate(listed)]
        if self._problems:
            raise CasesInvalid(self._problems)
        return [case for case in cases if case is not None]

    def _complain(self, location: Location, text: str, advice: str, *, key: bool = False) -> None:
        place = self._document.place(location, key=key)
        self._problems.append(self._document.problem(place, text, advice))

    def _fields(
        self, value: Mapping[str, Any], location: Location, names: tuple[str, ...]
    ) -> dict[str, Any]:
        chosen = {key: item for key, item in value.items() if key in names or key not in (*TOP, *FIELDS)}
        for key in value:
            if key in ("settings", "plan", "worker", "home") and location:
                advice = "Write it once, at the top of the file."
                self._complain((*location, key), f"{key} holds for all cases.", advice, key=True)
        return read_fields(chosen, lambda found: self._complain((*location, found[0]), found[1], found[2]))

    def _common(self, value: Mapping[str, Any]) -> Common:
        fields = self._fields(value, (), ("settings", "mode", "cwd", "files"))
        folder = str(self._document.file.absolute().parent)
        cwd = fields.get("cwd", folder)
        home = value.get("home", str(home_folder()))
        if not isinstance(home, str) or not home.startswith("/"):
            self._complain(("home",), "home is no absolute path.", "Write /home/dev or the like.")
            home = folder
        rules, mode = self._plan(value) if "plan" in value else ((), Mode.DEFAULT)
        rules += self._own_rules(fields.get("settings"), cwd)
        return Common(rules, fields.get("mode", mode), cwd, home, fields.get("files", {}))

    def _plan(self, value: Mapping[str, Any]) -> tuple[tuple[RuleText, ...], Mode]:
        name, worker = value["plan"], value.get("worker", "")
        if not isinstance(name, str) or not isinstance(worker, str):
            self._complain(("plan",), "plan and worker are texts.", "Write plan: plan.yaml.")
            return (), Mode.DEFAULT
        found = plan_rules(self._document.file.parent / name, worker)
        return found.rules, found.mode or Mode.DEFAULT

    def _own_rules(self, lists: Any, cwd: str) -> tuple[RuleText, ...]:
        return tuple(
            RuleText(behavior, text, self._source(("settings", str(behavior), at), cwd))
            for behavior in Behavior
            for at, text in enumerate(getattr(lists, str(behavior), ()))
        )

    def _source(self, location: Location, base: str) -> Source:
        line, column = self._document.place(location)
        return Source(Layer.PROJECT, str(self._document.file), line, column, base)

    def _case(self, common: Common, at: int, value: object) -> Case | None:
        location: Location = ("cases", at)
        if not isinstance(value, dict):
            self._complain(location, "A case is a mapping.", "Write {command: …, expect: …}.")
            return None
        before = len(self._problems)
        fields = self._fields(value, location, OWN)
        if "expect" not in value:
            self._complain(location, "expect is missing.", f"Write one of {', '.join(Behavior)}.")
        cwd = fields.get("cwd", common.cwd)
        request = request_of(fields, cwd)
        if request is None and len(self._problems) == before:
            self._complain(location, "A case names one call.", "Write command: …, or tool: and input:.")
        if request is None or len(self._problems) > before:
            return None
        line = self._document.place(location).line
        return Case(
            name=fields.get("id") or f"case {at + 1}",
            file=str(self._document.file),
            line=line,
            rules=common.rules,
            mode=fields.get("mode", common.mode),
            folders=folders_of(common.home, cwd if "cwd" in fields else common.cwd),
            request=request,
            files=MemoryFiles({**common.files, **fields.get("files", {})}),
            **expectations(fields),
        )
