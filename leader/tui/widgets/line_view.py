"""A scrolled column of lines, painted with the line API: only the rows in sight, each when it is asked for.

It does its own scrolling, because Textual's lays the whole screen out again whenever content grows.
"""

from functools import lru_cache

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from swarm.leader.tui import look
from swarm.leader.tui.wrapping import Line

WHEEL_LINES = 3
PAINTED_KEPT = 1024
"""Painted lines that are kept for the next frame; most of a frame is that of the frame before."""


class LineView(Widget):
    """Subclasses say how many rows there are and give each as a line of styled pieces.

    The last column is the scroll mark's. `top` is the first row in sight.
    """

    can_focus = False

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.top = 0
        self._paint = (Style.null(), 1, 0, 0)

    def row_count(self) -> int:
        """Give the number of rows."""
        return 0

    def row(self, at: int) -> Line:
        """Give the row with this number, counted from 0."""
        return ()

    def row_style(self, at: int) -> Style | None:
        """Give the style behind the row, if it has one."""
        return None

    @property
    def text_width(self) -> int:
        """The cells that a row may fill."""
        return max(self.size.width - 1, 1)

    @property
    def below(self) -> int:
        """The number of rows below those in sight."""
        return max(self.row_count() - self.top - self.size.height, 0)

    @property
    def overflows(self) -> bool:
        """Whether not all rows are in sight at once."""
        return self.row_count() > self.size.height

    def scroll_rows(self, rows: int) -> None:
        """Scroll down by `rows`, or up, as far as there is something."""
        self.scroll_to_row(self.top + rows)

    def scroll_to_row(self, at: int) -> None:
        """Bring row `at` to the top, as far as the rows below fill the view."""
        top = max(min(at, self.row_count() - self.size.height), 0)
        if top != self.top:
            self.top = top
            self.refresh()
            self.scrolled()

    def scrolled(self) -> None:
        """Called after the view has scrolled."""

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Scroll with the wheel."""
        event.stop()
        self.scroll_rows(WHEEL_LINES)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Scroll with the wheel."""
        event.stop()
        self.scroll_rows(-WHEEL_LINES)

    def render_lines(self, crop: Region) -> list[Strip]:
        """Paint the rows in `crop`. What Textual works out anew at each call is asked for once."""
        size = self.size
        self._paint = (self.rich_style, max(size.width - 1, 1), size.height, self.row_count())
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        """Paint one row of the view."""
        ground, width, height, count = self._paint
        at = self.top + y
        if at >= count:
            return paint((), width, ground, " ")
        behind = self.row_style(at)
        style = ground if behind is None else ground + behind
        return paint(self.row(at), width, style, _scroll_mark(y, self.top, height, count))


@lru_cache(maxsize=PAINTED_KEPT)
def paint(line: Line, width: int, ground: Style, mark: str) -> Strip:
    """Give a line as a strip of `width` cells and the scroll mark; the same strip for the same line."""
    segments = [Segment(text, ground + look.style_of(style)) for text, style in line]
    strip = Strip(segments).adjust_cell_length(width, ground)
    return Strip([*strip, Segment(mark, ground + look.style_of(look.FAINT))], width + 1)


def _scroll_mark(y: int, top: int, height: int, count: int) -> str:
    """Give what the last column shows in row `y`."""
    if count <= height or height <= 0:
        return " "
    size = max(height * height // count, 1)
    start = (height - size) * top // max(count - height, 1)
    return "▐" if start <= y < start + size else " "
