"""One line with something on its left and something on its right. Pure."""

from rich.text import Text

from swarm.leader.hostile import clip


def two_sides(left: Text, right: Text, width: int) -> Text:
    """Give both in `width` cells; where they don't fit, the left side is cut with a mark."""
    room = width - right.cell_len
    if left.cell_len >= room:
        left = shortened(left, max(room - 1, 0))
    line = left.copy()
    line.append(" " * max(room - left.cell_len, 0))
    line.append_text(right)
    return shortened(line, width)


def shortened(text: Text, width: int) -> Text:
    """Give `text` within `width` cells; a cut ends in an ellipsis."""
    if text.cell_len <= width:
        return text
    kept = clip(text.plain, width)
    cut = text[: max(len(kept) - 1, 0)]
    return cut.append(kept[-1:])
