"""What rules say for each worker of a running session: the policies in force and the disk they look at."""

from swarm.leader.policies import Policies
from swarm.permissions.classifier import classify
from swarm.permissions.engine import decide
from swarm.permissions.files import RealFiles
from swarm.permissions.model import Layer, Offer, Request, RuleText, Verdict
from swarm.permissions.offers import offers
from swarm.permissions.speculation import Opinion


class RuleJudge:
    """Satisfies Judge, and Classifier with the static one."""

    def __init__(self, policies: Policies) -> None:
        self._policies = policies
        self._files = RealFiles()

    def verdict(self, worker: str, request: Request) -> Verdict:
        """Give what rules, guards and mode say."""
        return decide(request, self._policies.policy_for(worker), self._files)

    def offers(self, worker: str, request: Request) -> tuple[Offer, ...]:
        """Give the rules that "always" may write."""
        return offers(request, self._policies.policy_for(worker), self._files)

    def version(self, worker: str) -> str:
        """Give the digest of the rules in force."""
        return self._policies.policy_for(worker).version

    def grant(self, offer: Offer, layer: Layer, worker: str) -> RuleText:
        """Write a rule where it belongs."""
        return self._policies.grant(offer, layer, worker)

    async def classify(self, request: Request) -> Opinion:
        """Give the static classifier's opinion."""
        found = classify(request, self._policies.policy_for(""), self._files)
        return Opinion(found.safe, found.why)
