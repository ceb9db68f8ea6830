"""Gathers what a bug report should have, each text through the one door that hides secrets."""

import json
import os
import platform
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
from swarm.leader.errors import LeaderError
from swarm.leader.session.places import state_folder
from swarm.leader.session.reopening import stored_plan
from swarm.leader.session.stored import StoredSession, is_alive
from swarm.permissions.settings.places import settings_files

LOGS: Final = 5
"""How many of the newest traces of errors are taken."""
TEXT_BYTES: Final = 64 * 1024
"""How much of one file is taken, in bytes: its end of a log, else its beginning."""
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
"""Variables whose values are taken; of all others not even the names."""
TOLD: Final = ("NO_COLOR", "SWARM_ASCII", "SWARM_REDUCED_MOTION", "TMUX", "STY", "SSH_CONNECTION", "CI")
"""Variables of which it is taken whether they are set."""


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
        raw = [*self._machine(), *self._settings(), *self._session(hiding), *self._errors()]
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
        are_set = {name: name in self.environment for name in TOLD}
        yield "terminal.json", _json({"values": known, "is_set": are_set})

    def _settings(self) -> Iterator[tuple[str, str]]:
        home = Path(self.environment.get("HOME") or Path.home())
        led = self.session.leader if self.session is not None else None
        project = Path(led.plan_file).parent if led is not None else Path.cwd()
        for file in settings_files(project, home, self.environment):
            text = _beginning(file.path)
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
            yield "session/plan.yaml", _beginning(session.plan) or ""
        with suppress(OSError):
            head, tail = head_and_tail(session.journal)
            yield "session/journal-head.jsonl", "".join(f"{line}\n" for line in told(head, hiding))
            yield "session/journal-tail.jsonl", "".join(f"{line}\n" for line in told(tail, hiding))

    def _errors(self) -> Iterator[tuple[str, str]]:
        folder = state_folder(self.environment) / "errors"
        with suppress(OSError):
            for path in sorted(folder.glob("*.log"), reverse=True)[:LOGS]:
                yield f"errors/{path.name}", _end(path)


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


def _beginning(path: Path) -> str | None:
    """Give a file's text up to the last whole line that is taken; None if it is not there."""
    try:
        with path.open("rb") as file:
            data = file.read(TEXT_BYTES + 1)
    except OSError:
        return None
    if len(data) > TEXT_BYTES:
        data = data[: data[:TEXT_BYTES].rfind(b"\n") + 1]
    return data.decode("utf-8", errors="backslashreplace")


def _end(path: Path) -> str:
    with path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - TEXT_BYTES))
        data = file.read(TEXT_BYTES)
    whole = data if size <= TEXT_BYTES else data.partition(b"\n")[2]
    return whole.decode("utf-8", errors="backslashreplace")


def _listing(members: Sequence[Member]) -> str:
    files = "".join(f"  {member.name}  ({len(member.text)} characters)\n" for member in members)
    return (
        "This was written by `swarm doctor --bundle`, for a bug report.\n\n"
        f"{files}\n"
        "What looks like a secret, and what the environment and the plan set as variables, was replaced\n"
        "by [redacted]; contents and outputs were left out of the journal and are only counted.\n"
        "A secret that looks like nothing may be left: look through all files before you send them.\n"
    )
