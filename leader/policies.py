"""The rules in force in a running session: settings files, plan, workers and grants, put together.

Layers are merged and the engine's order (deny, ask, allow) makes the outcome. So a worker's own rules
narrow by what they deny and ask; its allow rules count, but lift no deny or ask of anybody.
"""

import os
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from swarm.leader.errors import HeldRulesChanged, OfferRefused
from swarm.leader.granted import EndedGrant, GrantBook, grant_left
from swarm.leader.plan.resolved import TeamPlan
from swarm.leader.session.entries import RuleGranted
from swarm.leader.session.places import state_folder
from swarm.permissions.grants import FOR_THE_SESSION, UNLIMITED, Grant, GrantLimits, Grants, grant_of
from swarm.permissions.model import Folders, Layer, Mode, Offer, RuleText, Source
from swarm.permissions.policy import Policy, compile_policy
from swarm.permissions.settings.layers import SettingsLayers, notice_of
from swarm.permissions.settings.places import SettingsFile, settings_files
from swarm.permissions.settings.writing import add_rule, remove_rule

_IN_FILES = (Layer.LOCAL, Layer.PROJECT, Layer.USER)
_COMPILED_LIMIT = 200
"""How many compiled sets of rules are kept at once."""


class Policies:
    """What holds for each worker. The project is the folder of the plan's file.

    `mode` replaces all others. Else a worker's own mode counts, then the plan's, and where that is
    `default` the one of the settings files. `notices` are what a person has to know about the files,
    `classifier` is the command of the program that may let calls run, empty for none.
    """

    def __init__(
        self,
        plan: TeamPlan,
        session_folder: Path,
        *,
        mode: Mode | None = None,
        files: tuple[SettingsFile, ...] | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        home = Path(os.environ.get("HOME") or Path.home())
        self._project = plan.file.absolute().parent
        self._files = settings_files(self._project, home, os.environ) if files is None else files
        self._layers = SettingsLayers(self._files)
        self._folders = Folders(home, self._project, own=self._own_folders(session_folder))
        self._plan = plan
        self._workers = {worker.name: worker for worker in plan.workers}
        self._mode = mode
        self._clock = clock
        self._book = GrantBook(clock)
        self._policies: dict[tuple[str, frozenset[int]], Policy] = {}
        self._revision = 0
        self._told: set[str] = set()
        self.classifier, told = self._find_classifier()
        self.notices = self._new_notices((*self._layers.notices, *self._mode_notice(), *told))

    def __repr__(self) -> str:
        rules = len(self._layers.rules) + len(self._plan.rules)
        return f"<Policies {rules} rules of files and plan, {self._book!r}, {self.mode}>"

    def _own_folders(self, session_folder: Path) -> tuple[Path, ...]:
        user = (file.path.parent for file in self._files if file.layer is Layer.USER)
        return (session_folder, state_folder(os.environ), *user)

    @property
    def mode(self) -> Mode:
        """The mode of the team; a worker may have another."""
        if self._mode is not None:
            return self._mode
        found = self._layers.mode
        return found[0] if found and self._plan.mode is Mode.DEFAULT else self._plan.mode

    @property
    def version(self) -> str:
        """The digest of the rules and the mode that hold for the team."""
        return self.policy_for("").version

    @property
    def grants(self) -> Grants:
        """What was granted in this session and is in force, also what was written to files."""
        return self._book.in_force

    def mode_for(self, worker: str) -> Mode:
        """Give the mode of one worker."""
        plan = self._workers.get(worker)
        return self._mode or (plan.mode if plan else None) or self.mode

    def policy_for(self, worker: str, without: frozenset[int] = frozenset()) -> Policy:
        """Give what holds for one worker; for a name that is not in the plan, what holds for the team.

        `without` are numbers of grants to leave out.
        """
        granted = self._book.in_force.rules_for(worker, without)
        if self._revision != self._book.revision or len(self._policies) >= _COMPILED_LIMIT:
            self._revision = self._book.revision
            self._policies.clear()
        found = self._policies.get((worker, without))
        if found is None:
            found = self._policies[worker, without] = self._compiled(worker, granted)
        return found

    def _compiled(
        self, worker: str, granted: tuple[RuleText, ...], first: tuple[RuleText, ...] = ()
    ) -> Policy:
        plan = self._workers.get(worker)
        rules = [*first, *self._layers.rules, *self._plan.rules, *(plan.rules if plan else ())]
        working = (plan.cwd,) if plan else ()
        folders = Folders(self._folders.home, self._project, working, self._folders.own)
        return compile_policy((*rules, *granted), self.mode_for(worker), folders)

    def rule_of(self, offer: Offer) -> RuleText:
        """Give an offer as a rule of this session, without putting it in force."""
        return RuleText(offer.behavior, offer.text, Source(Layer.SESSION, base=str(self._project)))

    def policies_around(self, worker: str, rule: RuleText) -> tuple[Policy, Policy]:
        """Give what holds for one worker, and what would with one rule more, which is found first."""
        granted = self._book.in_force.rules_for(worker)
        return self.policy_for(worker), self._compiled(worker, granted, (rule,))

    def grant(self, offer: Offer, layer: Layer, worker: str, limits: GrantLimits = UNLIMITED) -> Grant:
        """Put an offered rule in force: in a file, for the session, or for `worker` in this session.

        Raises OfferRefused if the offer is not for that layer, SettingsError if the file cannot be
        written; then nothing has changed.
        """
        file = self._layers.file_of(layer) if layer in _IN_FILES else None
        if layer not in (*offer.layers, Layer.WORKER) or (file is None and layer not in FOR_THE_SESSION):
            raise OfferRefused(offer.text)
        if file is not None:
            rule = add_rule(file, offer.behavior, offer.text)
            self._layers.reload(file.path, (rule,))
            grant = Grant(rule, "", "person", self._clock())
        else:
            only = worker if layer is Layer.WORKER else ""
            grant = grant_of(offer, only, "person", self._clock(), str(self._project), limits)
        self._policies.clear()
        return self._book.add(grant)

    def restore(self, given: Iterable[tuple[RuleGranted, float]], count: int) -> None:
        """Put in force again what another leader of this session granted and nobody took back.

        Each has its time in seconds of the epoch; `count` is how many were ever granted.
        """
        base = str(self._project)
        self._book.restore((grant_left(entry, at, base) for entry, at in given), count)
        self._policies.clear()

    def spend(self, numbers: frozenset[int]) -> None:
        """Count one call against each of these grants."""
        self._book.spend(numbers)

    def revoke(self, number: int) -> Grant:
        """Take a grant back, from its file too, and give what it was.

        Raises UnknownGrant, or SettingsError if the file cannot be written; then nothing has changed.
        """
        grant = self._book.find(number)
        file = self._layers.file_of(grant.rule.source.layer) if grant.rule.source.file else None
        if file is not None:
            remove_rule(file, grant.rule.behavior, grant.rule.text)
            self._layers.reload(file.path)
        self._book.remove(grant)
        self._policies.clear()
        return grant

    def take_ended_grants(self) -> list[EndedGrant]:
        """Give the grants that ended by themselves since the last call."""
        return self._book.take_ended()

    def changed_files(self) -> tuple[Path, ...]:
        """Look which settings files have changed; cheap enough for once a second."""
        return self._layers.changed()

    def reload(self) -> tuple[str, ...]:
        """Put changed files in force and give what is new to tell; a broken file's last good stays.

        What would allow more than before is held back until `accept`, for a worker may have written it.
        """
        return self._put_in_force(
            lambda: [told for path in self._layers.changed() for told in self._layers.reload(path)]
        )

    def accept(self, held: tuple[str, ...]) -> tuple[str, ...]:
        """Put in force what is held back, as a person wants it, and give what is new to tell.

        Raises HeldRulesChanged if `held`, which the person saw, is not all that is held now.
        """
        if held != self.held:
            raise HeldRulesChanged(self.held)

        def take() -> list[str]:
            self._layers.accept()
            return []

        return self._put_in_force(take)

    @property
    def held(self) -> tuple[str, ...]:
        """What the files would allow but is held back, in words."""
        return self._layers.held

    def _put_in_force(self, read: Callable[[], list[str]]) -> tuple[str, ...]:
        before = self.mode
        notices = read()
        self._policies.clear()
        if self.mode is not before:
            notices.extend(self._mode_notice() or (f"The mode is {self.mode} again.",))
        self._told.difference_update(notices)
        return self._new_notices(tuple(notices))

    def _find_classifier(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Give the command of the classifier, as it was when the session began, and what to tell of it."""
        found = self._layers.classifier
        command = self._plan.classifier or (found[0] if found else ())
        if not command:
            return (), ()
        place = self._plan.file if self._plan.classifier or not found else found[1].path
        said = f"Calls that no rule decides are also shown to the classifier {command[0]}, as {place} says."
        return command, (said,)

    def _mode_notice(self) -> tuple[str, ...]:
        found = self._layers.mode
        if found is None or self.mode is Mode.DEFAULT or self._mode or self._plan.mode is not Mode.DEFAULT:
            return ()
        return (f"The mode is {found[0]}, as {found[1].path} says.",)

    def _new_notices(self, notices: tuple[str, ...]) -> tuple[str, ...]:
        """Add what is wrong or doubtful about the rules, and leave out what was told already."""
        found = dict.fromkeys((*notices, *map(notice_of, self.policy_for("").problems)))
        new = tuple(notice for notice in found if notice not in self._told)
        self._told = set(found)
        return new
