"""What a front end is shown of grants: those in force, and what an offer would let through."""

from swarm.leader.core.approvals import Approvals
from swarm.leader.core.judge import RuleJudge
from swarm.leader.core.past import preview_of
from swarm.leader.core.views import GrantView, OfferPreview
from swarm.leader.errors import OfferRefused
from swarm.permissions.grants import Grant


def grant_view(grant: Grant) -> GrantView:
    """Give a grant as it is shown."""
    rule = grant.rule
    return GrantView(
        number=grant.number,
        rule=rule.text,
        behavior=rule.behavior,
        layer=rule.source.layer,
        worker=grant.worker,
        by=grant.by,
        at=grant.at,
        expires=grant.expires,
        uses=grant.uses,
        file=rule.source.file,
    )


async def preview_offer(
    approvals: Approvals, judge: RuleJudge, request_id: str, offer_text: str
) -> OfferPreview:
    """Say what an offer would have let through; see Client.preview."""
    asked = approvals.find(request_id)
    offer = next((offer for offer in asked.view.offers if offer.text == offer_text), None)
    if offer is None:
        raise OfferRefused(offer_text)
    past = approvals.past.snapshot()
    others = [
        (request.view.id, request.view.worker, request.request)
        for request in approvals.waiting
        if request is not asked
    ]
    lets_through = judge.would_allow(offer)
    return await preview_of(past, others, lets_through)
