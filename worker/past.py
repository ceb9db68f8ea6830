"""What earlier attempts of this worker have done, step by step, as their journal tells. Plain values."""

from collections.abc import Iterable

from swarm.ipc.call_log import CallEnded, CallRecord, call_log_of, read_calls
from swarm.ipc.messages import Start
from swarm.worker.errors import InvalidStart

READ_ONLY = frozenset({"Read", "Grep", "Glob", "LS"})
"""The tools whose interrupted calls can have had no effects."""
INTERRUPTED = "This call had begun before and was interrupted; it may have had effects."
"""What the person reads beside such a call."""


class Past:
    """The last record of each step that has begun."""

    def __init__(self, calls: Iterable[CallRecord] = ()) -> None:
        self._steps = {record.began.step: record for record in calls if record.began.step}

    def __repr__(self) -> str:
        return f"<Past of {len(self._steps)} steps>"

    def success(self, step: str) -> CallEnded | None:
        """Give how a step has ended, if it has ended well; else it is to be taken (again)."""
        record = self._steps.get(step)
        ended = record.ended if record else None
        return ended if ended and ended.outcome == "succeeded" else None

    def may_have_had_effects(self, step: str, tool: str) -> bool:
        """Tell whether this step's call had begun before and was cut short, and could change something."""
        record = self._steps.get(step)
        if record is None or tool in READ_ONLY:
            return False
        return record.ended is None or record.ended.outcome == "interrupted"


def past_of(start: Start) -> Past:
    """Give the past of what a start asks for: none for a first attempt. Raises InvalidStart."""
    if start.attempt <= 1 or not start.session:
        return Past()
    path = call_log_of(start.session, start.worker)
    history = read_calls(path)
    if not history.is_whole:
        raise InvalidStart(
            f"The journal of this worker's calls, {path}, cannot be read whole, so it is not known what "
            "has run. Nothing was run: start the plan anew, or remove that file if all may run again."
        )
    return Past(history.calls)
