"""Answers a request from another shell: finds it, checks that it is what was seen, and decides."""

from collections.abc import Iterable
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from swarm.leader.cli.options import LayerWord
from swarm.leader.core.views import AnswerToRequest, OfferPreview, RequestView, Verb
from swarm.leader.errors import AlreadyDecided, DigestMismatch, OfferRefused, UnknownRequest
from swarm.permissions.model import Layer, Offer

if TYPE_CHECKING:
    from swarm.leader.control.remote import RemoteClient

LAYERS: dict[LayerWord, Layer] = {
    "local": Layer.LOCAL,
    "project": Layer.PROJECT,
    "user": Layer.USER,
    "session": Layer.SESSION,
    "worker": Layer.WORKER,
}
DIGEST_SHOWN = 12
"""How many characters of a digest are printed; as few are enough to answer with."""


class WrittenRule(NamedTuple):
    """A rule that was written, and the file that it is in, or its layer where that has none."""

    offer: Offer
    place: str


def short_digest(request: RequestView) -> str:
    """Give the beginning of the request's digest, for a command line."""
    return request.digest[:DIGEST_SHOWN]


def usable_offers(request: RequestView, layer: Layer) -> tuple[Offer, ...]:
    """Give the rules that "always" writes to `layer`. Raises OfferRefused if there is none."""
    offers = tuple(offer for offer in request.offers if layer in offer.layers)
    if not offers:
        raise OfferRefused(f"An always-rule in {layer}")
    return offers


def check_digest(request: RequestView, digest: str) -> None:
    """Refuse an answer about other content. Raises DigestMismatch. An empty digest was not asked for."""
    if digest and (len(digest) < DIGEST_SHOWN or not request.digest.startswith(digest)):
        raise DigestMismatch(request.id)


async def answer_request(
    remote: "RemoteClient",
    request_id: str,
    verb: Verb,
    *,
    digest: str = "",
    message: str = "",
    layer: Layer = Layer.LOCAL,
    minutes: float | None = None,
    uses: int | None = None,
) -> tuple[RequestView | None, tuple[WrittenRule, ...]]:
    """Decide about one request; give what was decided about and the rules that were written.

    Raises what the client interface raises.
    """
    team = await remote.team()
    request = next((waiting for waiting in team.queue if waiting.id == request_id), None)
    if request is None:  # the leader knows why it does not wait, and says so
        await remote.answer(AnswerToRequest(request_id, digest, verb, message))
        return None, ()
    check_digest(request, digest)
    offers = usable_offers(request, layer) if verb == "allow_always" else ()
    answer = AnswerToRequest(
        request_id,
        request.digest,
        verb,
        message,
        offers=offers,
        layer=layer,
        minutes=minutes,
        uses=uses,
    )
    await remote.answer(answer)
    return request, await _written(remote, offers, layer)


async def _written(
    remote: "RemoteClient", offers: tuple[Offer, ...], layer: Layer
) -> tuple[WrittenRule, ...]:
    """Give where each of the rules stands now: its file, or the layer that is kept in none."""
    if not offers:
        return ()
    files = {grant.rule: grant.file for grant in await remote.grants() if grant.layer is layer}
    return tuple(WrittenRule(offer, files.get(offer.text) or f"{layer}") for offer in offers)


PREVIEWED = 20
"""Of how many requests the offers are tried on what happened so far: that takes time."""


async def previews(
    remote: "RemoteClient", requests: Iterable[RequestView]
) -> dict[tuple[str, str], OfferPreview]:
    """Give what the offers of the first requests would let through, by request id and rule."""
    found = {}
    for request in islice(requests, PREVIEWED):
        with suppress(UnknownRequest, AlreadyDecided):  # it was decided meanwhile
            for offer in request.offers:
                found[request.id, offer.text] = await remote.preview(request.id, offer.text)
    return found


def spoken(request: RequestView | None, request_id: str) -> str:
    """Give one line that says what was decided about."""
    from swarm.leader.headless.lines import badge, one_line

    if request is None:
        return request_id
    title = one_line(request.preview.title)
    return f"{request_id} ({badge(request.worker, request.agent)}: {one_line(request.tool, 100)}: {title})"
