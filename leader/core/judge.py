"""What rules say for each worker of a running session: the policies in force and the disk they look at."""

from collections.abc import Callable, Mapping
from pathlib import Path

from swarm.leader.core.outside_classifier import FirstSafe, OutsideClassifier
from swarm.leader.core.verdict_memory import VerdictMemory
from swarm.leader.policies import Policies
from swarm.permissions.classifier import is_open
from swarm.permissions.engine import decide
from swarm.permissions.files import RealFiles
from swarm.permissions.grants import UNLIMITED, Grant, GrantLimits, needed
from swarm.permissions.model import Behavior, Layer, Offer, Request, Verdict
from swarm.permissions.offers import offers
from swarm.permissions.speculation import Classifier, StaticClassifier


class RuleJudge:
    """Satisfies Judge. `folders` are the workers' own, as the plan says.

    `outside` is a classifier of the person's own.
    """

    def __init__(
        self,
        policies: Policies,
        folders: Mapping[str, Path],
        outside: OutsideClassifier | None = None,
    ) -> None:
        self._policies = policies
        self._outside = outside
        self._folders = {worker: str(folder) for worker, folder in folders.items()}
        self._files = RealFiles()
        self._memory = VerdictMemory(self._files)

    def verdict(self, worker: str, request: Request) -> Verdict:
        """Give what rules, guards and mode say.

        Relative paths of rules start from the folder that the request names. So a worker that names
        one outside its own cannot widen what is allowed: its calls ask.
        """
        verdict = self._memory.decide(request, self._policies.policy_for(worker))
        if verdict.behavior is Behavior.ALLOW and not self._is_inside(worker, request.cwd):
            folder = self._folders[worker]
            why = f"It wants to work in {request.cwd}, which is outside of its own folder {folder}."
            return Verdict(Behavior.ASK, why, guarded=True)
        return verdict

    def offers(self, worker: str, request: Request) -> tuple[Offer, ...]:
        """Give the rules that "always" may write."""
        if not self._is_inside(worker, request.cwd):
            return ()
        return offers(request, self._policies.policy_for(worker), self._files)

    def version(self, worker: str) -> str:
        """Give the digest of the rules in force."""
        return self._policies.policy_for(worker).version

    def grant(self, offer: Offer, layer: Layer, worker: str, limits: GrantLimits = UNLIMITED) -> Grant:
        """Write a rule where it belongs."""
        return self._policies.grant(offer, layer, worker, limits)

    def revoke(self, number: int) -> None:
        """Take a granted rule back."""
        self._policies.revoke(number)

    def spend(self, worker: str, request: Request) -> None:
        """Count an allowed call against the grants that it needed."""

        def allows(without: frozenset[int]) -> bool:
            policy = self._policies.policy_for(worker, without)
            return decide(request, policy, self._files).behavior is Behavior.ALLOW

        counted = self._policies.grants.counted_for(worker)
        self._policies.spend(needed(counted, allows))

    def would_allow(self, offer: Offer) -> Callable[[str, Request], bool]:
        """Give what tells whether a rule, added to those in force, alone makes the difference for a call.

        Calls that the rules in force allow anyway count too, where this rule would.
        """
        rule = self._policies.rule_of(offer)
        workers = {worker: self._policies.policies_around(worker, rule) for worker in self._folders}

        def lets_through(worker: str, request: Request) -> bool:
            before, after = workers[worker]
            if not self._is_inside(worker, request.cwd):
                return False
            verdict = decide(request, after, self._files)
            if verdict.behavior is not Behavior.ALLOW:
                return False
            if rule in (verdict.rule, *(part.rule for part in verdict.parts)):
                return True
            return decide(request, before, self._files).behavior is not Behavior.ALLOW

        return lets_through

    def classifier(self, worker: str) -> Classifier:
        """Give the classifier under the rules of one worker: the static one, then the person's own."""
        quick = StaticClassifier(lambda: self._policies.policy_for(worker), self._files)
        if self._outside is None:
            return quick
        return FirstSafe(quick, self._outside, worker, lambda request: self._is_open(worker, request))

    def _is_open(self, worker: str, request: Request) -> bool:
        """Whether the person's own classifier may be heard about a request."""
        policy = self._policies.policy_for(worker)
        return self._is_inside(worker, request.cwd) and is_open(request, policy, self._files)

    def _is_inside(self, worker: str, cwd: str) -> bool:
        """Tell by the text alone: a folder that is only reached by `..` does not count."""
        folder = self._folders[worker]
        return cwd == folder or (cwd.startswith(folder.rstrip("/") + "/") and "/.." not in cwd)
