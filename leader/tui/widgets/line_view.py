"""A scrolled column of lines, painted with the line API: only the rows in sight, each when it is asked for.

It does its own scrolling, because Textual's lays the whole screen out again whenever content grows.
"""

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.strip import Strip
from textual.widget import Widget

from swarm.leader.tui import look
from swarm.leader.tui.wrapping import Line

WHEEL_LINES = 3
_PLAIN = Style.null()


class LineView(Widget):
    """Subclasses say how many rows there are and give each as a line of styled pieces.

    The last column is the scroll mark's. `top` is the first row in sight.
    """

    can_focus = False

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.top = 0

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

    def render_line(self, y: int) -> Strip:
        """Paint one row of the view."""
        width, height = self.text_width, self.size.height
        at = self.top + y
        count = self.row_count()
        behind = self.rich_style + ((self.row_style(at) if at < count else None) or _PLAIN)
        pieces = self.row(at) if at < count else ()
        segments = [Segment(text, behind + look.style_of(style)) for text, style in pieces]
        strip = Strip(segments).adjust_cell_length(width, behind)
        text, style = _scroll_mark(y, self.top, height, count)
        return Strip([*strip, Segment(text, behind + style)], width + 1)


def _scroll_mark(y: int, top: int, height: int, count: int) -> tuple[str, Style]:
    """Give what the last column shows in row `y`."""
    style = look.style_of(look.FAINT)
    if count <= height or height <= 0:
        return " ", style
    size = max(height * height // count, 1)
    start = (height - size) * top // max(count - height, 1)
    return ("▐" if start <= y < start + size else " "), style
