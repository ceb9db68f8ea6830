"""What must hold after every trial, whatever was struck where. Reads what is left; changes nothing."""

from collections import Counter
from collections.abc import Iterator

import psutil
from crash.striking import FOLDER
from crash.trial import DENIED, Ran

from swarm.leader.errors import LeaderError
from swarm.leader.session.entries import AnyEntry, CallDecided, RequestAsked, RequestDecided, RequestEnded
from swarm.leader.session.presence import lock_is_held
from swarm.leader.session.reading import read_journal
from swarm.permissions.model import Behavior

WANTED = ("one", "two", "four", "other")
ENDS = frozenset({"acted", "withdrawn", "expired", "orphaned"})


def problems_of(ran: Ran) -> list[str]:
    """Give all that is wrong after a trial, as sentences; none if every promise was kept."""
    found = list(_problems_of_run(ran))
    found += _problems_of_processes(ran)
    sessions = ran.sessions()
    if len(sessions) != 1:
        return [*found, f"There are {len(sessions)} sessions."]
    try:
        with read_journal(sessions[0].journal) as journal:
            entries = [record.entry for record in journal]
    except LeaderError as error:
        return [*found, f"The journal cannot be read: {error}"]
    found += _problems_of_requests(entries)
    found += _problems_of_approval(ran, entries)
    found += _problems_of_files(ran)
    return found


def _problems_of_run(ran: Ran) -> Iterator[str]:
    if ran.problem:
        yield f"The trial failed: {ran.problem}."
    elif ran.codes[-1] != 0:
        yield f"The last leader ended with {ran.codes[-1]}, all of them with {ran.codes}."
    counts = Counter(ran.effects)
    for word in WANTED:
        if counts[word] != 1:
            yield f"The call `{word}` had its effect {counts[word]} times."
    if counts[DENIED]:
        yield f"The denied call `{DENIED}` ran."


def _problems_of_requests(entries: list[AnyEntry]) -> Iterator[str]:
    asked = [entry.request_id for entry in entries if isinstance(entry, RequestAsked)]
    ends = Counter(
        entry.request_id for entry in entries if isinstance(entry, RequestEnded) and entry.state in ENDS
    )
    decided = Counter(entry.request_id for entry in entries if isinstance(entry, RequestDecided))
    for request_id, times in Counter(asked).items():
        if times != 1:
            yield f"{request_id} was asked {times} times."
        if ends[request_id] != 1:
            yield f"{request_id} has {ends[request_id]} ends."
        if decided[request_id] > 1:
            yield f"{request_id} was decided {decided[request_id]} times."


def _problems_of_approval(ran: Ran, entries: list[AnyEntry]) -> Iterator[str]:
    """Each effect needs a decision that allowed just that call."""
    commands = {e.request_id: _word(e.input) for e in entries if isinstance(e, RequestAsked)}
    allowed = Counter(
        commands.get(entry.request_id) if isinstance(entry, RequestDecided) else _word(entry.input)
        for entry in entries
        if isinstance(entry, RequestDecided | CallDecided) and entry.behavior is Behavior.ALLOW
    )
    for word, times in Counter(ran.effects).items():
        if allowed[word] < times:
            yield f"The call `{word}` ran {times} times and was allowed {allowed[word]} times."


def _word(call_input: object) -> str:
    assert isinstance(call_input, dict)
    return str(call_input.get("command", "")).split()[-1]


def _problems_of_processes(ran: Ran) -> Iterator[str]:
    for process in psutil.process_iter():
        try:
            if (
                process.environ().get(FOLDER) == str(ran.folder)
                and process.status() != psutil.STATUS_ZOMBIE
            ):
                yield f"A process is left: {process.pid} {process.cmdline()}"
        except psutil.Error:
            continue


def _problems_of_files(ran: Ran) -> Iterator[str]:
    for session in ran.sessions():
        if lock_is_held(session.folder):
            yield "The session's lock is held."
        for path in session.folder.rglob("*"):
            is_unfinished = path.parent.name == "tmp" or path.suffix == ".new"
            if path.is_file() and is_unfinished:
                yield f"An unfinished file is left: {path.relative_to(session.folder)}"
