"""Turns a person's answer into a decision, if it is one that the request permits. Pure."""

from swarm.leader.core.asking import Judge
from swarm.leader.core.views import AnswerToRequest, RequestView
from swarm.leader.errors import EditRefused, NothingChosen, OfferRefused
from swarm.permissions.model import Behavior, Decision, Reason, Request
from swarm.permissions.strategies.refusals import declined


def decision_of_person(answer: AnswerToRequest, view: RequestView, judge: Judge) -> Decision:
    """Give the decision. Raises OfferRefused, NothingChosen or EditRefused; then nothing is decided."""
    if answer.verb == "deny":
        return Decision(Behavior.DENY, Reason.INTERACTIVE_DENY, declined(answer.message))
    _check_edit(answer, view, judge)
    if answer.verb == "allow_once":
        reason, rule = Reason.INTERACTIVE_ALLOW_ONCE, ""
    else:
        reason, rule = Reason.INTERACTIVE_ALLOW_ALWAYS, _chosen_rules(answer, view)
    return Decision(Behavior.ALLOW, reason, answer.message, rule, answer.updated_input)


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
    offered = {made.text for made in view.offers if answer.layer in made.layers}
    for offer in answer.offers:
        if offer.text not in offered:
            raise OfferRefused(offer.text)
    return ", ".join(offer.text for offer in answer.offers)
