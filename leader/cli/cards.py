"""A waiting request as text: everything that a person must see to decide, whole. Prints nothing."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from swarm.leader.cli.answering import short_digest
from swarm.leader.core.views import OfferPreview, RequestView
from swarm.leader.headless.lines import badge, one_line
from swarm.leader.tui.ages import age
from swarm.leader.tui.request_lines import request_lines
from swarm.leader.tui.wrapping import Line

_INDENT = "  "


Tried = Mapping[tuple[str, str], OfferPreview]
"""What offers would let through, by request id and rule."""


def card(
    request: RequestView, session_id: str, now: float, width: int, tried: Tried = MappingProxyType({})
) -> Iterator[Line]:
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
        yield from _previews(request, tried)
    yield ((f'{_INDENT}swarm deny {answer} -m "why"', ""),)
    yield ()


def _previews(request: RequestView, tried: Tried) -> Iterator[Line]:
    for offer in request.offers:
        preview = tried.get((request.id, offer.text))
        if preview is not None:
            yield ((f"{_INDENT}  # {one_line(offer.text)}: {preview.sentence}", ""),)


def card_object(
    request: RequestView, session_id: str, tried: Tried = MappingProxyType({})
) -> dict[str, Any]:
    """Give the request as `swarm pending --json` prints it: as an `asked` event, by the same names."""
    import msgspec

    fields: dict[str, Any] = msgspec.to_builtins(request)
    preview = fields.pop("preview")
    return {
        "session": session_id,
        "request": fields.pop("id"),
        "at": fields.pop("asked_at"),
        "badge": request.badge,
        **fields,
        **{name: preview[name] for name in ("title", "diff", "note", "paths")},
        "previews": {
            offer.text: msgspec.to_builtins(tried[request.id, offer.text])
            for offer in request.offers
            if (request.id, offer.text) in tried
        },
    }
