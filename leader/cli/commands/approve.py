"""`swarm approve`: allows a request of a running session."""

from typing import TYPE_CHECKING, Annotated

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
    from swarm.leader.core.views import OfferPreview, RequestView

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
    from swarm.leader.cli.answering import LAYERS, answer_request, previews, spoken
    from swarm.leader.cli.reaching import ask_leader
    from swarm.leader.cli.showing import show_and_confirm
    from swarm.leader.headless.lines import one_line

    async def answer(remote: "RemoteClient") -> "Answered":
        team = await remote.team()
        asked = [waiting for waiting in team.queue if waiting.id == request]
        seen = digest if session or digest or not asked else show_and_confirm(asked[0], team.session_id)
        tried = await previews(remote, asked) if always else {}
        decided, rules = await answer_request(
            remote,
            request,
            "allow_always" if always else "allow_once",
            digest=seen,
            message=message,
            layer=LAYERS[layer],
            minutes=minutes,
            uses=uses,
        )
        return decided, rules, tried

    decided, rules, tried = ask_leader(session, answer)
    output.message(f"Allowed {spoken(decided, request)}.")
    for rule in rules:
        preview = tried.get((request, rule.offer.text))
        output.message(
            f"Written to {one_line(rule.place)}: {rule.offer.behavior} {one_line(rule.offer.text)}"
            + (f" ({preview.sentence})" if preview else "")
        )
