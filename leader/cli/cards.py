"""A waiting request as text: everything that a person must see to decide, whole. Prints nothing."""

from collections.abc import Iterator
from typing import Any

from swarm.leader.cli.answering import short_digest
from swarm.leader.core.views import RequestView
from swarm.leader.headless.lines import badge, one_line
from swarm.leader.tui.ages import age
from swarm.leader.tui.request_lines import request_lines
from swarm.leader.tui.wrapping import Line

_INDENT = "  "


def card(request: RequestView, session_id: str, now: float, width: int) -> Iterator[Line]:
    """Give the lines of one request, its body within `width` cells, with the commands that answer it."""
    head = (
        f"{request.id}  {badge(request.worker, request.agent)}  {one_line(request.tool, 100)}"
        f"  waits {age(now - request.asked_at)}"
    )
    yield ((head, "bold"),)
    for line in request_lines(request, max(width - len(_INDENT), 20)):
        yield ((_INDENT, ""), *line) if line else ()
    answer = f"{request.id} --session {session_id} --digest {short_digest(request)}"
    yield ((f"{_INDENT}swarm approve {answer}", ""),)
    if request.offers:
        rules = ", ".join(one_line(offer.text) for offer in request.offers)
        yield ((f"{_INDENT}swarm approve {answer} --always", ""), (f"   # writes {rules}", ""))
    yield ((f'{_INDENT}swarm deny {answer} -m "why"', ""),)
    yield ()


def card_object(request: RequestView, session_id: str) -> dict[str, Any]:
    """Give the request as the object that `swarm pending --json` prints."""
    import msgspec

    fields: dict[str, Any] = msgspec.to_builtins(request)
    return {"session": session_id, "badge": request.badge, **fields}
