"""Every key of the screen and what it does, as tables: the footer and the help are made from them."""

from enum import Enum

Hint = tuple[str, str]
"""A key as people write it, and what it does."""


class Situation(Enum):
    """What the keys act on right now."""

    WATCHING = "watching"
    ASKED = "asked"
    GONE = "gone"
    SENDING = "sending"
    GRANTING = "granting"
    WRITING = "writing"
    ENDED = "ended"


Table = tuple[str, tuple[Hint, ...]]
"""Keys that belong together, under a heading."""

HELP: tuple[Table, ...] = (
    (
        "A request",
        (
            ("y", "allow it once"),
            ("a", "always: shows the rules first, Enter writes them"),
            ("n", "deny it"),
            ("m  N", "deny it with a message to the agent"),
            ("Tab  Shift-Tab", "the next request, the one before"),
            ("Esc", "not now: put it aside; Tab brings it back"),
            ("PgUp  PgDn", "scroll it, if it doesn't fit"),
            ("w", "choose the worker that asks"),
        ),
    ),
    (
        "Always",
        (
            ("Left  Right", "where the rules are written"),
            ("1 … 9", "take a rule in or out"),
            ("Enter  Esc", "write and allow, or back"),
        ),
    ),
    (
        "Workers",
        (
            ("Up Down  k j", "choose a worker; the mouse does too"),
            ("1 … 9", "choose by row"),
            ("s", "stop the chosen worker (asks first)"),
        ),
    ),
    (
        "Transcript",
        (
            ("PgUp  PgDn", "scroll; Ctrl-U, Ctrl-D even if a request takes these"),
            ("Home  End", "the oldest line, the newest"),
            ("o", "all output of the tools, or its last lines"),
        ),
    ),
    (
        "The run",
        (
            ("q", "stop all (asks first: q again, y or Enter); leave, once it has ended"),
            ("Ctrl-C", "stop all in good order; leave, once it has ended"),
            ("Ctrl-C again", "end all at once"),
            ("Ctrl-Z", "back to the shell for a while; `fg` brings the run back"),
            ("?", "this help"),
        ),
    ),
)

VISITING: Table = (
    "This screen",
    (
        ("q  Ctrl-C", "leave it: the run is led elsewhere and goes on"),
        ("Ctrl-Z", "back to the shell for a while; `fg` brings the screen back"),
        ("?", "this help"),
    ),
)
"""Takes the place of the last part of HELP on a screen whose run is led by another process."""

_WATCH: tuple[Hint, ...] = (("↑↓", "worker"), ("PgUp", "scroll"), ("o", "output"), ("s", "stop"))
HELP_HINT: Hint = ("?", "help")
_END: tuple[Hint, ...] = (("q", "stop all"), HELP_HINT)

HINTS: dict[Situation, tuple[Hint, ...]] = {
    Situation.WATCHING: (*_WATCH, *_END),
    Situation.ASKED: (
        ("y", "once"),
        ("a", "always"),
        ("n", "deny"),
        ("m", "deny+why"),
        ("Tab", "next"),
        ("Esc", "later"),
        *_END,
    ),
    Situation.GONE: (("Tab", "next"), ("Esc", "close"), *_WATCH[:1], *_END),
    Situation.SENDING: _END,
    Situation.GRANTING: (("Enter", "write and allow"), ("←→", "where"), ("1…9", "rules"), ("Esc", "back")),
    Situation.WRITING: (("Enter", "deny with this message"), ("Esc", "back")),
    Situation.ENDED: (("q", "leave"), ("↑↓", "worker"), ("PgUp", "scroll"), ("o", "output"), HELP_HINT),
}


def help_tables(*, visiting: bool = False) -> tuple[Table, ...]:
    """Give all keys of a run's own screen, or of one that is `visiting` a run that is led elsewhere."""
    return (*HELP[:-1], VISITING) if visiting else HELP


def hints(situation: Situation, *, put_aside: int = 0, visiting: bool = False) -> tuple[Hint, ...]:
    """Give the hints; `put_aside` requests can be brought back with Tab while none is shown.

    On a screen that is `visiting` a run that is led elsewhere, `q` leaves and the run goes on.
    """
    found = HINTS[situation]
    if visiting:
        found = tuple(("q", "leave") if key == "q" else (key, what) for key, what in found)
    if situation is Situation.WATCHING and put_aside:
        return (("Tab", f"{put_aside} put aside"), *found)
    return found
