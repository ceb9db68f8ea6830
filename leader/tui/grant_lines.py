"""What the card shows before "always" writes anything: each rule, the place, the keys. Pure."""

from collections.abc import Iterator

from swarm.leader.hostile import escape
from swarm.leader.tui import look
from swarm.leader.tui.grants import PLACES, Grant
from swarm.leader.tui.wrapping import Line, wrap_exact, wrap_words


def grant_lines(grant: Grant, width: int) -> list[Line]:
    """Give the lines, wrapped to `width` cells; no rule is cut."""
    lines: list[Line] = [(("Always: this is written, then the call may run.", look.STRONG),), ()]
    for at, offer in enumerate(grant.offers):
        mark = "✓" if grant.chosen[at] else "·"
        style = look.TEXT if grant.chosen[at] else look.FAINT
        for number, line in enumerate(wrap_exact(f"{offer.behavior} {escape(offer.text)}", width - 6)):
            head = f"{at + 1:>2} {mark}  " if number == 0 else " " * 6
            lines.append(((head, look.GOOD if grant.chosen[at] else look.FAINT), (line, style)))
    lines.append(())
    lines.extend(_places(grant, width))
    lines.extend(_advice(grant, width))
    return lines


def _places(grant: Grant, width: int) -> Iterator[Line]:
    for at, layer in enumerate(grant.layers):
        place, whom = PLACES[layer]
        here = at == grant.at
        for number, line in enumerate(wrap_words(f"{place}   {whom}", width - 5)):
            head = (" to " if at == 0 else "    ") if number == 0 else "    "
            mark = "›" if here and number == 0 else " "
            yield ((head, look.FAINT), (mark, look.ASKS), (line, look.STRONG if here else look.MUTED))


def _advice(grant: Grant, width: int) -> Iterator[Line]:
    if not grant.picked:
        yield ()
        for line in wrap_words("No rule is chosen: a number takes one in or out.", width):
            yield ((line, look.WARN),)
