"""`swarm approve`: allows a request of a running session."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from swarm.leader.cli import output
from swarm.leader.cli.options import (
    DigestOption,
    LayerWord,
    MessageOption,
    RequestArgument,
    SessionOption,
)

if TYPE_CHECKING:
    from swarm.leader.cli.answering import WrittenRule
    from swarm.leader.control.remote import RemoteClient
    from swarm.leader.core.views import OfferPreview, RequestView, Verb

    Answered = tuple[RequestView | None, tuple[WrittenRule, ...], dict[tuple[str, str], OfferPreview]]


def command(
    request: RequestArgument,
    session: SessionOption = None,
    digest: DigestOption = "",
    always: Annotated[
        bool,
        typer.Option("--always", help="Also write the offered rule, so that the next one is not asked."),
    ] = False,
    layer: Annotated[LayerWord, typer.Option("--layer", help="Where --always writes.")] = "local",
    minutes: Annotated[
        float | None,
        typer.Option("--minutes", metavar="N", help="Let the rule end after that time (session, worker)."),
    ] = None,
    uses: Annotated[
        int | None,
        typer.Option("--uses", metavar="N", help="Let it end after so many further calls."),
    ] = None,
    message: MessageOption = "",
) -> None:
    """Allow a waiting request.

    Say which one you saw, by its session or its digest, as `swarm pending` prints them. Without either
    the request is shown and you are asked.
    """
    from functools import partial

    from swarm.leader.cli.answering import LAYERS, spoken
    from swarm.leader.cli.reaching import ask_leader
    from swarm.leader.headless.lines import one_line

    given = {"message": message, "layer": LAYERS[layer], "minutes": minutes, "uses": uses}
    is_named = bool(session or digest)
    decided, rules, tried = ask_leader(session, partial(_answer, request, always, digest, is_named, given))
    output.message(f"Allowed {spoken(decided, request)}.")
    for rule in rules:
        preview = tried.get((request, rule.offer.text))
        output.message(
            f"Written to {one_line(rule.place)}: {rule.offer.behavior} {one_line(rule.offer.text)}"
            + (f" ({preview.sentence})" if preview else "")
        )


async def _answer(
    request: str, always: bool, digest: str, is_named: bool, given: dict[str, Any], remote: "RemoteClient"
) -> "Answered":
    """Show the request unless it was named well enough, then allow it."""
    from swarm.leader.cli.answering import answer_request, previews
    from swarm.leader.cli.showing import show_and_confirm

    team = await remote.team()
    asked = [waiting for waiting in team.queue if waiting.id == request]
    seen = digest if is_named or not asked else show_and_confirm(asked[0], team.session_id)
    tried = await previews(remote, asked) if always else {}
    verb: Verb = "allow_always" if always else "allow_once"
    decided, rules = await answer_request(remote, request, verb, digest=seen, **given)
    return decided, rules, tried
