"""`swarm approve`: allows a request of a running session."""

from typing import Annotated

import typer

from swarm.leader.cli import output
from swarm.leader.cli.options import (
    DigestOption,
    LayerWord,
    MessageOption,
    RequestArgument,
    SessionOption,
)


def command(
    request: RequestArgument,
    session: SessionOption = None,
    digest: DigestOption = "",
    always: Annotated[
        bool,
        typer.Option("--always", help="Also write the offered rule, so that the next one is not asked."),
    ] = False,
    layer: Annotated[LayerWord, typer.Option("--layer", help="Where --always writes.")] = "local",
    message: MessageOption = "",
) -> None:
    """Allow a waiting request."""
    from swarm.leader.cli.answering import LAYERS, answer_request, spoken
    from swarm.leader.cli.reaching import ask_leader
    from swarm.leader.headless.lines import one_line

    decided, offers = ask_leader(
        session,
        lambda remote: answer_request(
            remote,
            request,
            "allow_always" if always else "allow_once",
            digest=digest,
            message=message,
            layer=LAYERS[layer],
        ),
    )
    output.message(f"Allowed {spoken(decided, request)}.")
    for offer in offers:
        output.message(f"Written to {LAYERS[layer]}: {offer.behavior} {one_line(offer.text)}")
