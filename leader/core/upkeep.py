"""What a leader looks after while a team runs: changed settings, ended grants, a journal that failed."""

import contextlib
from collections.abc import Callable

import anyio

from swarm.leader.core.approvals import Approvals
from swarm.leader.core.entries import expired_entry
from swarm.leader.errors import JournalError
from swarm.leader.policies import Policies
from swarm.leader.session.entries import AnyEntry
from swarm.leader.session.journal import Journal

RULES_CHECK = 1.0  # seconds between two looks at the settings files
MEND_CHECK = 2.0  # seconds between two tries to write a journal that could not be written


class Upkeep:
    """`notice` tells and writes a line, `show` only tells it; `write` writes an entry."""

    def __init__(
        self,
        policies: Policies,
        journal: Journal,
        notice: Callable[[str], None],
        show: Callable[[str], None],
        write: Callable[[AnyEntry], None],
    ) -> None:
        self._policies = policies
        self._journal = journal
        self._notice = notice
        self._show = show
        self._write = write

    async def watch_rules(self, approvals: Approvals) -> None:
        """Put changed settings files in force, note what grants have ended, decide again what waits."""
        while True:
            await anyio.sleep(RULES_CHECK)
            changed = bool(self._policies.changed_files())
            if changed:
                for notice in self._policies.reload():
                    self._notice(notice)
            if self.note_ended_grants() or changed:
                approvals.reconsider()

    async def mend_journal(self) -> None:
        """Go on once there is room again: what could not be written waits, or was denied, until then."""
        while True:
            await anyio.sleep(MEND_CHECK)
            if self._journal.problem:
                with contextlib.suppress(JournalError):
                    self._journal.retry()
                    self._show("The journal can be written again.")

    def note_ended_grants(self) -> bool:
        """Write which grants have ended by themselves since the last look; give whether any has."""
        ended = self._policies.take_ended_grants()
        for grant in ended:
            self._write(expired_entry(grant))
        return bool(ended)
