"""What rules say of a request and of all that it may be by the time it runs. Pure."""

from collections.abc import Callable, Iterable

from swarm.ipc.messages import PermissionRequest
from swarm.permissions.model import Behavior, Request, Verdict

INTERRUPTED = "It had begun before and its end is not known, so it may have had effects."
"""Why a person alone may allow what is asked a second time."""

_STRICTNESS = {Behavior.ALLOW: 0, Behavior.ASK: 1, Behavior.DENY: 2}


def requests_shown(message: PermissionRequest) -> tuple[Request, ...]:
    """Give the request anew for each path that the person is shown, where the input names another.

    The worker resolved links when it made the preview, and will use what it found then; by now the
    input's own path may lead elsewhere. So the rules have to hold for both.
    """
    named = message.input.get("file_path")
    if not isinstance(named, str):
        return ()
    others = (path for path in message.preview.paths if path != named)
    return tuple(
        Request(message.tool, {**message.input, "file_path": path}, message.cwd) for path in others
    )


def strictest(verdicts: Iterable[Verdict]) -> Verdict:
    """Give the strictest of some verdicts, the first of equals."""
    return max(verdicts, key=lambda verdict: _STRICTNESS[verdict.behavior])


def verdict_of(
    judged: Callable[[Request], Verdict], request: Request, shown: tuple[Request, ...], interrupted: bool
) -> Verdict:
    """Give what holds for a request and all that it may be.

    What was `interrupted` is allowed by no rule and no classifier; those that deny hold for it too.
    """
    verdict = judged(request)
    if shown:
        verdict = strictest((verdict, *map(judged, shown)))
    if interrupted and verdict.behavior is not Behavior.DENY:
        return Verdict(Behavior.ASK, INTERRUPTED, guarded=True)
    return verdict
