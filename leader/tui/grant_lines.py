"""What the card shows before "always" writes anything: each rule, its effect, the place. Pure."""

from collections.abc import Iterator, Sequence

from swarm.leader.hostile import escape
from swarm.leader.tui import look
from swarm.leader.tui.grants import PLACES, Grant
from swarm.leader.tui.wrapping import Line, Piece, wrap_exact, wrap_words

_INDENT = 6
_NOT_YET = "…"
_HERE: Piece = ("›", look.ASKS)


def grant_lines(grant: Grant, width: int) -> list[Line]:
    """Give the lines, wrapped to `width` cells; no rule is cut."""
    lines: list[Line] = [(("Always: this is written, then the call may run.", look.STRONG),), ()]
    for at in range(len(grant.offers)):
        lines.extend(_rule(grant, at, width - _INDENT))
        lines.extend(_effect(grant, at, width - _INDENT))
    lines.append(())
    lines.extend(_places(grant, width))
    lines.extend(_advice(grant, width))
    return lines


def place_row(lines: Sequence[Line]) -> int:
    """Give the number of the line that names the chosen place, counted from 0."""
    return next(at for at, line in enumerate(lines) if _HERE in line)


def _rule(grant: Grant, at: int, width: int) -> Iterator[Line]:
    offer, chosen = grant.offers[at], grant.chosen[at]
    mark, style = ("✓", look.TEXT) if chosen else ("·", look.FAINT)
    for number, line in enumerate(wrap_exact(f"{offer.behavior} {escape(offer.text)}", width)):
        head = f"{at + 1:>2} {mark}  " if number == 0 else " " * _INDENT
        yield ((head, look.GOOD if chosen else look.FAINT), (line, style))


def _effect(grant: Grant, at: int, width: int) -> Iterator[Line]:
    """Give what the rule would let through. It has its row before it is known, so that little moves."""
    told = grant.told[at]
    style = look.MUTED if grant.chosen[at] else look.FAINT
    for line in wrap_words(_NOT_YET if told is None else escape(told), width):
        yield ((" " * _INDENT, look.FAINT), (line, style))


def _places(grant: Grant, width: int) -> Iterator[Line]:
    for at, layer in enumerate(grant.layers):
        place, whom = PLACES[layer]
        here = at == grant.at
        for number, line in enumerate(wrap_words(f"{place}   {whom}", width - 5)):
            head = (" to " if at == 0 else "    ") if number == 0 else "    "
            mark = _HERE if here and number == 0 else (" ", look.ASKS)
            yield ((head, look.FAINT), mark, (line, look.STRONG if here else look.MUTED))


def _advice(grant: Grant, width: int) -> Iterator[Line]:
    if not grant.picked:
        yield ()
        for line in wrap_words("No rule is chosen: a number takes one in or out.", width):
            yield ((line, look.WARN),)
