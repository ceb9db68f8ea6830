"""Puts the rules of a person's "always" in force, or takes them back where nothing came of it."""

from swarm.leader.core.answers import limits_of
from swarm.leader.core.asking import Surroundings
from swarm.leader.core.entries import NO_GROUNDS, Grounds, granted_entry
from swarm.leader.core.requests import PendingRequest
from swarm.leader.core.views import AnswerToRequest
from swarm.leader.errors import LeaderError
from swarm.permissions.errors import PermissionsError
from swarm.permissions.grants import Grant


def write_rules(
    around: Surroundings, request: PendingRequest, answer: AnswerToRequest, written: list[Grant]
) -> Grounds:
    """Put the chosen rules in force and note each in `written`, also if a later one fails."""
    if answer.verb != "allow_always":
        return NO_GROUNDS
    places = []
    for offer in answer.offers:
        grant = around.judge.grant(offer, answer.layer, request.view.worker, limits_of(answer))
        written.append(grant)
        around.journal.append(granted_entry(grant, request.view))
        places.append(str(grant.rule.source))
    return Grounds(", ".join(places))


def take_back(around: Surroundings, grants: list[Grant]) -> None:
    """Undo rules of a decision that was never made."""
    for grant in grants:
        try:
            around.judge.revoke(grant.number)
        except (LeaderError, PermissionsError) as error:
            around.notice(f"{grant.rule.text} could not be taken back: {error}")
