"""How the room of the terminal is shared out. Pure; all sizes in cells."""

MINIMUM = (40, 12)
"""The smallest width and height in which everything can be read and decided."""

WIDE = 110
TIGHT = 18


def fits(width: int, height: int) -> bool:
    """Whether there is room enough for the screen."""
    return width >= MINIMUM[0] and height >= MINIMUM[1]


def is_wide(width: int) -> bool:
    """Whether the table stands beside the transcript instead of above it."""
    return width >= WIDE


def table_width(width: int) -> int:
    """Give the table's width where it stands beside the transcript."""
    return max(min(width * 2 // 5, 76), 46)


def is_tight(height: int, *, asked: bool) -> bool:
    """Whether a request needs the rows that margins, title and transcript would take."""
    return asked and height < TIGHT


def table_height(workers: int, height: int, *, asked: bool) -> int:
    """Give the table's height where it stands above: all workers, or its share of the screen."""
    share = height // 6 if asked else height // 3
    return max(min(workers, share), 2)


def card_room(height: int, header: int, *, wide: bool, table: int) -> int:
    """Give the height that the card may take; what remains is the transcript's.

    `header` is the height of the lines on top, `table` that of the table where it stands above.
    """
    rest = height - header - 1 - (0 if wide else table)
    if is_tight(height, asked=True):
        return rest
    spaces = 2 if wide else 3
    return min(rest - spaces - 3, height * 2 // 3)
