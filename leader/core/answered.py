"""Answers that may have to be given once more, since a worker asks again on its next way. Bounded."""

from collections import OrderedDict

from swarm.ipc.messages import PermissionRequest, PermissionResponse
from swarm.permissions.model import Behavior, Decision, Reason
from swarm.permissions.wire import digest_of, response_message

UNTAKEN_LIMIT = 1_000
"""How many answers of rules to one worker are kept until it has acknowledged them."""
ENDED_LIMIT = 4_096
"""Of how many requests of one worker it is remembered that they have ended."""


class AnsweredCalls:
    """What was answered, by worker and by the worker's own id of the request."""

    def __init__(self) -> None:
        self._untaken: dict[str, OrderedDict[str, PermissionResponse]] = {}
        self._ended: dict[str, OrderedDict[str, PermissionResponse | None]] = {}

    def __repr__(self) -> str:
        return f"<AnsweredCalls untaken={sum(map(len, self._untaken.values()))}>"

    def answered(self, worker: str, response: PermissionResponse) -> None:
        """Keep an answer until the worker has taken it."""
        kept = self._untaken.setdefault(worker, OrderedDict())
        kept[response.request_id] = response
        if len(kept) > UNTAKEN_LIMIT:
            kept.popitem(last=False)

    def took(self, worker: str, wire_id: str) -> None:
        """Take note that the worker has an answer."""
        if worker in self._untaken:
            self._untaken[worker].pop(wire_id, None)

    def ended(self, worker: str, wire_id: str, response: PermissionResponse | None) -> None:
        """Remember that a request has ended, and how it was answered if it was."""
        kept = self._ended.setdefault(worker, OrderedDict())
        kept[wire_id] = response
        if len(kept) > ENDED_LIMIT:
            kept.popitem(last=False)

    def forget(self, worker: str) -> None:
        """Forget what was answered to a worker that has died: its next attempt asks under other ids."""
        self._untaken.pop(worker, None)
        self._ended.pop(worker, None)

    def again(self, worker: str, message: PermissionRequest) -> PermissionResponse | None:
        """Give the answer to a request that was answered or has ended; None for one that is new.

        What has ended is not let run: it has, or was taken back. So is what asks something else now.
        """
        known = self._untaken[worker].get(message.id) if worker in self._untaken else None
        if known is None:
            if worker not in self._ended or message.id not in self._ended[worker]:
                return None
            known = self._ended[worker][message.id]
            if known is None or known.behavior == "allow":
                return refused(message, "it has ended already, and is let run once at most")
        if known.digest != digest_of(message):
            return refused(message, "the same request asked something else before")
        return known


def refused(message: PermissionRequest, why: str) -> PermissionResponse:
    """Give the denial of a request that cannot be decided again."""
    decision = Decision(Behavior.DENY, Reason.SETTINGS_DENY, f"This call was not run: {why}.")
    return response_message(message.id, digest_of(message), decision)
