"""One trial: a fresh session, a strike at one point, resuming until the run is over. Judges nothing."""

import os
import signal
import sys
from dataclasses import dataclass, field
from pathlib import Path

import anyio
import anyio.abc
from crash.points import Point
from crash.striking import FOLDER, POINT

from swarm.leader.control.remote import connect
from swarm.leader.core.views import AnswerToRequest, RequestView
from swarm.leader.errors import LeaderError
from swarm.leader.session.stored import StoredSession, is_alive, list_sessions

LIMIT = 90.0
"""Seconds that a trial may take in all, with every limit and grace of the program in it."""
LOOK = 0.02
NO_POINT = "none before 0 leader"
RUNS = 4
"""How often a leader is started at most: once, and again after each death."""

PLAN = """\
version: 1
name: crash
permissions: {allow: ["Bash(./mark two)"]}
defaults: {retries: 3}
workers:
  main:
    steps:
      - {bash: ./mark one, continue_on_error: true}
      - {bash: ./mark two, continue_on_error: true}
      - {bash: ./mark three, continue_on_error: true}
      - {bash: ./mark four, continue_on_error: true}
  other:
    steps:
      - {bash: ./mark other, continue_on_error: true}
"""
MARK = '#!/bin/sh\nprintf \'%s\\n\' "$1" >> "$CRASH_FOLDER/effects"\n'
DENIED = "three"


@dataclass
class Ran:
    """What became of a trial. `codes` are the exit codes of the leaders, negative for a signal."""

    point: Point
    folder: Path
    codes: list[int] = field(default_factory=list)
    answered: list[str] = field(default_factory=list)
    problem: str = ""

    @property
    def effects(self) -> list[str]:
        """The words that calls have left, in order."""
        path = self.folder / "effects"
        return path.read_text().split() if path.exists() else []

    @property
    def environment(self) -> dict[str, str]:
        """The environment of everything in the trial."""
        home = self.folder / "home"
        kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
        return {
            **kept,
            "HOME": str(home),
            "XDG_STATE_HOME": str(home / "state"),
            "XDG_CONFIG_HOME": str(home / "config"),
            FOLDER: str(self.folder),
        }

    def sessions(self) -> list[StoredSession]:
        """Give the sessions of the trial: one, unless something is wrong."""
        return list_sessions(environment=self.environment)


async def run_trial(point: Point, folder: Path) -> Ran:
    """Run one trial in `folder`, which is empty."""
    ran = Ran(point, folder)
    _furnish(folder)
    with anyio.move_on_after(LIMIT) as scope:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_answer_all, ran)
            await _lead_to_the_end(ran)
            tasks.cancel_scope.cancel()
    if scope.cancelled_caught:
        ran.problem = f"it was not over within {LIMIT:.0f} s"
    return ran


def _furnish(folder: Path) -> None:
    (folder / "home").mkdir()
    (folder / "plan.yaml").write_text(PLAN)
    (folder / "mark").write_text(MARK)
    (folder / "mark").chmod(0o700)


async def _lead_to_the_end(ran: Ran) -> None:
    code = await _lead(ran, ("run", "plan.yaml"), str(_words(ran.point)))
    while code == -signal.SIGKILL and len(ran.codes) < RUNS:
        found = ran.sessions()
        if len(found) != 1:
            ran.problem = f"{len(found)} sessions were left"
            return
        code = await _lead(ran, ("resume", found[0].id), NO_POINT)


def _words(point: Point) -> str:
    return f"{point.place} {point.side} {point.crossing} {point.victim}"


async def _lead(ran: Ran, words: tuple[str, ...], point: str) -> int:
    """Run a leader to its end, its output kept in the folder, and give its exit code."""
    command = [sys.executable, str(Path(__file__).with_name("leading.py")), *words]
    number = len(ran.codes) + 1
    with (ran.folder / f"leader-{number}.log").open("wb") as log:
        process = await anyio.open_process(
            [*command, "--headless", "--json", "--on-ask", "wait"],
            cwd=ran.folder,
            env={**ran.environment, POINT: point},
            stdin=-3,  # DEVNULL
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        try:
            code = await process.wait()
        except BaseException:
            _kill_group(process.pid)
            raise
    ran.codes.append(code)
    return code


def _kill_group(pid: int) -> None:
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


async def _answer_all(ran: Ran) -> None:
    """Answer as a person would who looks at what has happened already."""
    while True:
        await anyio.sleep(LOOK)
        for session in ran.sessions():
            if is_alive(session) and session.leader is not None:
                try:
                    await _answer_session(ran, session)
                except (LeaderError, OSError):
                    continue  # it was killed meanwhile, or another answer was first


async def _answer_session(ran: Ran, session: StoredSession) -> None:
    assert session.leader is not None
    async with connect(session.id, Path(session.leader.control)) as client:
        while True:
            for request in (await client.team()).queue:
                await client.answer(_answer_to(ran, request))
                ran.answered.append(request.id)
            await anyio.sleep(LOOK)


def _answer_to(ran: Ran, request: RequestView) -> AnswerToRequest:
    word = str(request.input["command"]).split()[-1]
    is_wanted = word != DENIED and word not in ran.effects
    return AnswerToRequest(request.id, request.digest, "allow_once" if is_wanted else "deny")


def struck(ran: Ran) -> bool:
    """Say whether the point was reached at all."""
    return (ran.folder / "struck").exists()
