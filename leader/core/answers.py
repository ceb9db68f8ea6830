"""Turns a person's answer into a decision, if it is one that the request permits. Pure."""

from swarm.leader.core.asking import Judge
from swarm.leader.core.views import AnswerToRequest, RequestView
from swarm.leader.errors import EditRefused, LimitsRefused, NothingChosen, OfferRefused
from swarm.permissions.grants import FOR_THE_SESSION, GrantLimits
from swarm.permissions.model import Behavior, Decision, Layer, Offer, Reason, Request
from swarm.permissions.strategies.refusals import declined

LONGEST = 60 * 24 * 366.0
"""The longest time that can be set for a grant, in minutes: a year."""
MOST_USES = 1_000_000


def decision_of_person(answer: AnswerToRequest, view: RequestView, judge: Judge) -> Decision:
    """Give the decision.

    Raises OfferRefused, NothingChosen, LimitsRefused or EditRefused; then nothing is decided.
    """
    limits_of(answer)
    if answer.verb == "deny":
        return Decision(Behavior.DENY, Reason.INTERACTIVE_DENY, declined(answer.message))
    _check_edit(answer, view, judge)
    if answer.verb == "allow_once":
        reason, rule = Reason.INTERACTIVE_ALLOW_ONCE, ""
    else:
        reason, rule = Reason.INTERACTIVE_ALLOW_ALWAYS, _chosen_rules(answer, view)
    return Decision(Behavior.ALLOW, reason, answer.message, rule, answer.updated_input)


def limits_of(answer: AnswerToRequest) -> GrantLimits:
    """Give when the rules of an answer end by themselves. Raises LimitsRefused."""
    limits = GrantLimits(answer.minutes, answer.uses)
    if not limits:
        return limits
    if answer.verb != "allow_always":
        raise LimitsRefused("Only a rule can have a number of minutes or uses, and none is written.")
    if answer.layer not in FOR_THE_SESSION:
        known = " or ".join(FOR_THE_SESSION[::-1])
        raise LimitsRefused(
            f"A rule in a settings file ({answer.layer}) stays until it is removed: it can have no number "
            f"of minutes or uses. Choose the layer {known}."
        )
    if limits.minutes is not None and not 0 < limits.minutes <= LONGEST:
        raise LimitsRefused(f"A rule lasts more than 0 minutes, and {LONGEST:,.0f} at most.")
    if limits.uses is not None and not 0 < limits.uses <= MOST_USES:
        raise LimitsRefused(f"A rule allows at least 1 call, and {MOST_USES:,} at most.")
    return limits


def fits(offer: Offer, layer: Layer) -> bool:
    """Whether an offer can be written to a layer: what is for the session is for one worker too."""
    return layer in offer.layers or (layer is Layer.WORKER and Layer.SESSION in offer.layers)


def _check_edit(answer: AnswerToRequest, view: RequestView, judge: Judge) -> None:
    """A person may change the input, but not into something that a rule denies."""
    if answer.updated_input is None:
        return
    verdict = judge.verdict(view.worker, Request(view.tool, answer.updated_input, view.cwd))
    if verdict.behavior is Behavior.DENY:
        raise EditRefused(view.id, verdict.why)


def _chosen_rules(answer: AnswerToRequest, view: RequestView) -> str:
    if not answer.offers:
        raise NothingChosen(view.id)
    offered = {made.text for made in view.offers if fits(made, answer.layer)}
    for offer in answer.offers:
        if offer.text not in offered:
            raise OfferRefused(offer.text)
    return ", ".join(offer.text for offer in answer.offers)
