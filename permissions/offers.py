"""What "always" may write: the narrowest useful rules that would let a request through. Pure."""

from swarm.permissions.files import FileView
from swarm.permissions.model import Offer, Request
from swarm.permissions.policy import Policy


def offers(request: Request, policy: Policy, files: FileView) -> tuple[Offer, ...]:
    """The rules to offer for a request that asked; none where no rule can cover it. Never raises."""
    return ()


def smallest_rules(request: Request, policy: Policy, files: FileView) -> tuple[str, ...]:
    """The texts of the allow rules that together let the request through; none where none can."""
    return tuple(offer.text for offer in offers(request, policy, files))
