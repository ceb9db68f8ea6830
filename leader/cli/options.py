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
SessionToResumeArgument = Annotated[
    str | None,
    typer.Argument(
        metavar="ID",
        help="The session, or the beginning of its id. Without it: the one that was interrupted.",
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

HeadlessOption = Annotated[
    bool, typer.Option("--headless", help="Without the terminal: lines on stdout, rules decide.")
]
EventsOption = Annotated[
    bool, typer.Option("--json", help="Without the terminal: one JSON event a line on stdout.")
]
OnAskOption = Annotated[
    OnAskWord | None,
    typer.Option(
        "--on-ask",
        help="What becomes of a call that no rule decides: it waits for `swarm approve`, is denied, "
        "or is denied and ends the run. Without a terminal: deny; with one: wait.",
    ),
]
OnAskAgainOption = Annotated[
    OnAskWord | None,
    typer.Option(
        "--on-ask",
        help="What becomes of a call that no rule decides, as with `swarm run`. Without it: wait in a "
        "terminal, else as before.",
    ),
]
ModeOption = Annotated[
    ModeWord | None, typer.Option("--mode", help="The permission mode, instead of the plan's.")
]
ModeAgainOption = Annotated[
    ModeWord | None, typer.Option("--mode", help="The permission mode. Without it: as before.")
]
