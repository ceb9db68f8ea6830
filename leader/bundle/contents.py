"""Gathers what a bug report should have, each text through the one door that hides secrets."""

import json
import os
import platform
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

from swarm.leader.bundle.archive import Member
from swarm.leader.bundle.excerpt import head_and_tail, told
from swarm.leader.bundle.hiding import LEAST_NAMED, Hiding, secrets_of
from swarm.leader.bundle.reading import beginning, end
from swarm.leader.errors import LeaderError
from swarm.leader.hostile import escape
from swarm.leader.session.places import state_folder
from swarm.leader.session.reopening import stored_plan
from swarm.leader.session.stored import StoredSession, is_alive
from swarm.permissions.settings.opening import leads_outside, real_path
from swarm.permissions.settings.places import settings_files

LOGS: Final = 5
"""How many of the newest traces of errors are taken."""
OUTSIDE: Final = "[a link to outside the project, which is left out]\n"
LIBRARIES: Final = (
    "anyio",
    "msgspec",
    "orjson",
    "psutil",
    "pydantic",
    "rich",
    "ruamel.yaml",
    "textual",
    "typer",
)
TERMINAL: Final = (
    "TERM",
    "COLORTERM",
    "TERM_PROGRAM",
    "TERM_PROGRAM_VERSION",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
)
"""Variables whose values are taken; of all others the names alone are."""


@dataclass(frozen=True)
class Report:
    """What a bundle is made of: this machine, and one session if there is any.

    `findings` are those of `swarm doctor`, as plain values.
    """

    program: str
    environment: Mapping[str, str]
    findings: Sequence[Mapping[str, Any]]
    session: StoredSession | None

    def members(self) -> list[Member]:
        """Give all files of the archive, first the one that lists them."""
        hiding = self._hiding()
        session = (*self._session(hiding), *self._worker_logs(hiding))
        raw = [*self._machine(), *self._settings(), *session, *self._errors()]
        found = [Member(name, hiding.text(text)) for name, text in raw]
        return [Member("README.txt", _listing(found)), *found]

    def _hiding(self) -> Hiding:
        secrets = [*secrets_of(self.environment), *self._secrets_of_plan()]
        return Hiding(secrets, self.environment.get("HOME", ""))

    def _secrets_of_plan(self) -> Iterator[str]:
        """Give the values that the plan sets as variables of its workers."""
        with suppress(LeaderError, OSError):
            if self.session is not None:
                for worker in stored_plan(self.session).workers:
                    values = (value.strip() for value in worker.env.values())
                    yield from (value for value in values if len(value) >= LEAST_NAMED)

    def _machine(self) -> Iterator[tuple[str, str]]:
        versions = {name: _version(name) for name in LIBRARIES}
        system = {"system": platform.platform(), "python": sys.version, "locale": sys.stdout.encoding}
        yield "versions.json", _json({"program": self.program, **system, "libraries": versions})
        yield "doctor.json", _json(list(self.findings))
        known = {name: self.environment.get(name) for name in TERMINAL}
        size = shutil.get_terminal_size()
        terminals = {name: os.isatty(at) for at, name in enumerate(("stdin", "stdout", "stderr"))}
        facts = {"columns": size.columns, "lines": size.lines, "is_terminal": terminals}
        yield "terminal.json", _json({"values": known, **facts, "variables": sorted(self.environment)})

    def _settings(self) -> Iterator[tuple[str, str]]:
        home = Path(self.environment.get("HOME") or Path.home())
        led = self.session.leader if self.session is not None else None
        project = Path(led.plan_file).parent if led is not None else Path.cwd()
        for file in settings_files(project, home, self.environment):
            text = OUTSIDE if leads_outside(file) else beginning(real_path(file))
            if text is not None:
                yield f"settings/{file.layer}.json", text

    def _session(self, hiding: Hiding) -> Iterator[tuple[str, str]]:
        session = self.session
        if session is None:
            return
        yield (
            "session/leader.json",
            _json({"session": session.id, "runs": is_alive(session)} | _led(session)),
        )
        with suppress(LeaderError, OSError):
            stored_plan(session)  # of one that cannot be read it is not known what it sets
            yield "session/plan.yaml", beginning(session.plan) or ""
        with suppress(OSError):
            head, tail = head_and_tail(session.journal)
            yield "session/journal-head.jsonl", "".join(f"{line}\n" for line in told(head, hiding))
            yield "session/journal-tail.jsonl", "".join(f"{line}\n" for line in told(tail, hiding))

    def _worker_logs(self, hiding: Hiding) -> Iterator[tuple[str, str]]:
        """Give what workers wrote to stderr, hidden before odd characters are shown escaped."""
        if self.session is None:
            return
        with suppress(LeaderError, OSError):
            for worker in stored_plan(self.session).workers:
                folder = self.session.folder / "workers" / worker.name
                text = None if folder.is_symlink() else end(folder / "stderr.log")
                if text:
                    kept = escape(hiding.text(text), keep_newlines=True)
                    yield f"session/workers/{worker.name}/stderr.log", kept

    def _errors(self) -> Iterator[tuple[str, str]]:
        folder = state_folder(self.environment) / "errors"
        for path in sorted(folder.glob("*.log"), reverse=True)[:LOGS]:
            text = end(path)
            if text is not None:
                yield f"errors/{path.name}", text


def _led(session: StoredSession) -> dict[str, Any]:
    led = session.leader
    if led is None:
        return {}
    return {"program": led.program, "name": led.name, "plan_file": led.plan_file, "began_at": led.began_at}


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def _listing(members: Sequence[Member]) -> str:
    files = "".join(f"  {member.name}  ({len(member.text)} characters)\n" for member in members)
    return (
        "This was written by `swarm doctor --bundle`, for a bug report.\n\n"
        f"{files}\n"
        "What looks like a secret, and what the environment and the plan set as variables, was replaced\n"
        "by [redacted]; contents and outputs were left out of the journal and are only counted. Of\n"
        "variables only the names are here, in terminal.json.\n"
        "A secret that looks like nothing may be left: look through all files before you send them.\n"
    )
