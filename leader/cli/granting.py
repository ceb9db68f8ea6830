"""The grants of a session, running or ended: of an ended one only those that stand in files are left."""

import os
from pathlib import Path

from swarm.leader.cli.reaching import ask_leader, running_sessions
from swarm.leader.core.views import GrantView
from swarm.leader.errors import JournalBroken, UnknownGrant
from swarm.leader.session.entries import RuleGranted, RuleRevoked, SessionStarted
from swarm.leader.session.reading import read_journal
from swarm.leader.session.stored import StoredSession, find_session, is_alive
from swarm.permissions.settings.places import SettingsFile, settings_files
from swarm.permissions.settings.reading import read_settings
from swarm.permissions.settings.writing import remove_rule


def standing_grants(id_or_prefix: str | None) -> tuple[GrantView, ...]:
    """Give the grants that are in force. Raises what finding or reaching a session raises."""
    session = find_session(id_or_prefix)
    if is_alive(session):
        return ask_leader(session.id, lambda remote: remote.grants())
    return tuple(grant for grant in _written(session) if _stands(session, grant))


def revoke_grant(id_or_prefix: str | None, number: int) -> GrantView:
    """Take a grant back and give what it was.

    Raises UnknownGrant, SettingsError, and what finding or reaching a session raises.
    """
    if id_or_prefix is None and running_sessions():
        return ask_leader(None, lambda remote: remote.revoke(number))
    session = find_session(id_or_prefix)
    if is_alive(session):
        return ask_leader(session.id, lambda remote: remote.revoke(number))
    for grant in _written(session):
        file = _file_of(session, grant) if grant.number == number else None
        if file is not None and remove_rule(file, grant.behavior, grant.rule):
            return grant
    raise UnknownGrant(number)


def _written(session: StoredSession) -> list[GrantView]:
    """Give what the journal tells of grants that were written to files, as far as it can be read."""
    grants: dict[int, GrantView] = {}
    with read_journal(session.journal) as reading:
        try:
            for record in reading:
                entry = record.entry
                if isinstance(entry, RuleGranted):
                    number = entry.number or len(grants) + 1
                    grants[number] = _view(number, record.at, entry)
                elif isinstance(entry, RuleRevoked):
                    grants.pop(entry.number, None)
        except JournalBroken:
            pass  # what stands before the fault is good; `swarm audit verify` tells of the rest
    return [grant for grant in grants.values() if grant.file]


def _view(number: int, at: float, entry: RuleGranted) -> GrantView:
    return GrantView(
        number=number,
        rule=entry.rule,
        behavior=entry.behavior,
        layer=entry.layer,
        worker="" if entry.file else entry.worker,
        by=entry.by,
        at=at,
        file=entry.file,
    )


def _stands(session: StoredSession, grant: GrantView) -> bool:
    file = _file_of(session, grant)
    rules = read_settings(file).rules if file is not None else ()
    return any((rule.behavior, rule.text) == (grant.behavior, grant.rule) for rule in rules)


def _file_of(session: StoredSession, grant: GrantView) -> SettingsFile | None:
    """Give the settings file of a grant: one of those that the session's project has, and no other."""
    if not grant.file:
        return None
    with read_journal(session.journal) as reading:
        first = next(reading, None)
    if first is None or not isinstance(first.entry, SessionStarted):
        return None
    project = Path(first.entry.plan_file).absolute().parent
    files = settings_files(project, Path.home(), os.environ)
    return next((file for file in files if str(file.path) == grant.file), None)
