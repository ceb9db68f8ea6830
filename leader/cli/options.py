"""The arguments and options that several commands share, and the words they take."""

from typing import Annotated, Literal

import typer

SessionArgument = Annotated[
    str | None,
    typer.Argument(
        metavar="ID",
        help="The session, or the beginning of its id. Without it: the newest, a running one first.",
    ),
]
RunningArgument = Annotated[
    str | None,
    typer.Argument(metavar="ID", help="The session, or the beginning of its id. Without it: all that run."),
]
SessionOption = Annotated[
    str | None,
    typer.Option(
        "--session",
        metavar="ID",
        help="The session, or the beginning of its id; needed where several run.",
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON, one object a line.")]
RequestArgument = Annotated[
    str, typer.Argument(metavar="REQUEST", help="The request's id, such as r7; `swarm pending` lists them.")
]
DigestOption = Annotated[
    str,
    typer.Option(
        "--digest",
        metavar="D",
        help="The digest of what you saw, as `swarm pending` prints it. Another content is refused.",
    ),
]
MessageOption = Annotated[
    str,
    typer.Option("-m", "--message", metavar="TEXT", help="A message that the agent gets with the answer."),
]


LayerWord = Literal["local", "project", "user", "session", "worker"]
"""Where `--always` writes its rule."""
OnAskWord = Literal["wait", "deny", "fail"]
"""What becomes of a call that no rule decides."""
ModeWord = Literal["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"]
"""The permission modes, so that help need not load them."""
