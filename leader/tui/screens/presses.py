"""What the keys of the card do with an `Approval`, by name."""

from collections.abc import Callable

from swarm.leader.core.views import AnswerToRequest
from swarm.leader.tui.approval import Approval

Press = Callable[[Approval], AnswerToRequest | None]


def _next(approval: Approval) -> None:
    approval.move(1)


def _previous(approval: Approval) -> None:
    approval.move(-1)


def _layer_before(approval: Approval) -> None:
    approval.change_grant(layer_steps=-1)


def _layer_after(approval: Approval) -> None:
    approval.change_grant(layer_steps=1)


def _begin_grant(approval: Approval) -> None:
    approval.begin_grant()


def _begin_message(approval: Approval) -> None:
    approval.begin_message()


def _back(approval: Approval) -> None:
    approval.back()


PRESSES: dict[str, Press] = {
    "allow_once": Approval.allow_once,
    "deny": Approval.deny,
    "begin_grant": _begin_grant,
    "confirm_grant": Approval.confirm_grant,
    "begin_message": _begin_message,
    "next": _next,
    "previous": _previous,
    "back": _back,
    "layer_before": _layer_before,
    "layer_after": _layer_after,
}
